// Texts that are no numbers: the mark in the cell, the bubble below it, the line under the matrix.

function complain(editor, cell) {
  const { problem } = parseNumber(cell.input.value, editor.limit)
  if (!problem) return
  cell.problem = { kind: problem, text: cell.input.value }
  cell.box.classList.add("bad")
  cell.input.setAttribute("aria-invalid", "true")
  if (!cell.entry) {
    cell.entry = make("p", "")
    cell.entry.id = `${cell.matrix.name}-${cell.row}-${cell.column}`
    cell.input.setAttribute("aria-describedby", cell.entry.id)
    cell.entry.onclick = () => cell.input.focus()
    cell.matrix.log.prepend(cell.entry)
  }
  wordCell(editor, cell)
  placeLines(editor)
  showBubble(editor)
}

function mend(cell) {
  cell.problem = null
  cell.box.classList.remove("bad")
  cell.input.removeAttribute("aria-invalid")
  cell.input.removeAttribute("aria-describedby")
  cell.entry?.remove()
  cell.entry = null
}

// A paste that was refused as a whole; it is said until the next edit, or until the matrix is left.
function refuse(editor, cell, kind, sizes = {}) {
  const { matrix } = cell
  dropBlock(matrix)
  matrix.block = { kind, sizes, cell, entry: make("p", "") }
  matrix.log.prepend(matrix.block.entry)
  setText(matrix.block.entry, lineText(editor, matrix.name, blockText(editor, matrix.block)))
  placeLines(editor)
  showBubble(editor)
}

function dropBlock(matrix) {
  matrix.block?.entry.remove()
  matrix.block = null
}

function showBubble(editor) {
  const cell = focusedCell(editor)
  const text = cell ? bubbleText(editor, cell) : ""
  editor.bubble.hidden = !text
  setText(editor.bubble, text)
  if (text) placeBubble(editor, cell)
}

function bubbleText(editor, cell) {
  const { block } = cell.matrix
  if (block?.cell === cell) return blockText(editor, block)
  return cell.problem ? problemText(editor, cell) : ""
}

// A line may run on below its right-hand neighbours, as far as they have nothing to say themselves.
function placeLines({ root, matrices }) {
  const edge = root.getBoundingClientRect().right
  const busy = [...matrices.values()].filter((matrix) => matrix.log.hasChildNodes())
  const boxes = busy.map((matrix) => matrix.section.getBoundingClientRect())
  busy.forEach((matrix, i) => {
    const next = boxes.find((box) => box.top === boxes[i].top && box.left > boxes[i].left)
    matrix.log.style.width = `${(next ? next.left - 12 : edge) - boxes[i].left}px`
  })
}

// It hangs in the editor, not in the scrolling box, which would cut it off.
function placeBubble({ bubble, root }, cell) {
  const frame = root.getBoundingClientRect()
  const box = cell.box.getBoundingClientRect()
  const left = Math.max(0, Math.min(box.left - frame.left, frame.width - bubble.offsetWidth))
  bubble.style.left = `${left}px`
  bubble.style.top = `${box.bottom - frame.top + 6}px`
  bubble.style.setProperty("--tip", `${box.left - frame.left + box.width / 2 - left}px`)
}
