// Puts the words on what drawing.js built. Words change with the language while texts stay in the cells.

function rowName(words, cell) {
  const row = cell.matrix.rowHeads[cell.row].textContent
  return fill(/^\d+$/.test(row) ? words.row_numbered : words.row_named, { row })
}

function columnName(words, cell) {
  const column = cell.matrix.columnHeads[cell.column].textContent
  return fill(/^\d+$/.test(column) ? words.column_numbered : words.column_named, { column })
}

function placeOf(words, cell) {
  return fill(words.cell, { matrix: cell.matrix.name, row: rowName(words, cell), column: columnName(words, cell) })
}

function problemText(editor, cell) {
  const { words, limit } = editor
  return fill(words[cell.problem.kind], {
    matrix: cell.matrix.name,
    row: rowName(words, cell),
    column: columnName(words, cell),
    text: shorten(cell.problem.text),
    limit: formatLimit(limit),
    value: formatNumber(cell.value),
  })
}

function blockText(editor, { kind, sizes }) {
  return fill(editor.words[kind], sizes)
}

function wordMatrix(editor, matrix, data) {
  const { words } = editor
  const sizes = { matrix: matrix.name, rows: matrix.cells.length, columns: matrix.cells[0]?.length ?? 0 }
  setName(matrix.title, data)
  matrix.section.setAttribute("aria-label", fill(words.table, sizes))
  matrix.table.setAttribute("aria-label", fill(words.table, sizes))
  setText(matrix.shape, fill(words.shape, sizes))
  matrix.shape.title = fill(words.shape_title, sizes)
  wordButton(matrix.reset, words.reset, fill(words.reset_title, sizes))
  wordButton(matrix.random, words.random, fill(words.random_title, sizes))
  setText(matrix.note, data.note ?? "")
  matrix.note.title = data.note ?? ""
  matrix.cells.flat().forEach((cell) => wordCell(editor, cell))
  if (matrix.block) setText(matrix.block.entry, lineText(editor, matrix.name, blockText(editor, matrix.block)))
}

function wordButton(button, text, title) {
  setText(button, text)
  label(button, title)
}

function wordCell(editor, cell) {
  const { words } = editor
  cell.input.setAttribute("aria-label", placeOf(words, cell))
  cell.input.title = cell.problem ? problemText(editor, cell) : titleOf(words, cell)
  if (cell.entry) setText(cell.entry, lineText(editor, placeOf(words, cell), problemText(editor, cell)))
}

function titleOf(words, cell) {
  const number = formatNumber(cell.value)
  const parts = [number.length > 6 ? number : "", cell.fresh ? words.fresh : ""]
  return parts.filter(Boolean).join(" \u00b7 ")
}

function lineText(editor, place, problem) {
  return fill(editor.words.line, { place, problem })
}

function wordStepper(editor, matrix, size) {
  const { box, name, minus, value, plus } = matrix.stepper
  box.hidden = !size
  if (!size) return
  const shown = editor.wanted.get(size.name) ?? size.value
  box.setAttribute("aria-label", fill(editor.words.size, { size: size.name, matrix: matrix.name }))
  setName(name, size)
  setText(value, String(shown))
  label(minus, fill(editor.words.smaller, { size: size.name, matrix: matrix.name }))
  label(plus, fill(editor.words.larger, { size: size.name, matrix: matrix.name }))
  // aria-disabled keeps the keyboard's focus where a disabled button would lose it.
  minus.setAttribute("aria-disabled", String(shown <= size.min))
  plus.setAttribute("aria-disabled", String(shown >= size.max))
}
