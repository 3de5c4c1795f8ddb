// Talking with Python: drafts and commands out, revisions in.

const PATIENCE = 10000 // ms to wait for the answer to a command before the next one may go
const MOST_SENT = 20 // commands that are remembered until the address holds them

function sendDraft(editor) {
  clearTimeout(editor.timers.commit)
  if (!editor.unsent) return
  editor.unsent = false
  const matrices = {}
  const touched = {}
  for (const { name, cells } of editor.matrices.values()) {
    matrices[name] = cells.map((line) => line.map((cell) => cell.value))
    touched[name] = cells.flat().filter((cell) => cell.touched).map((cell) => [cell.row, cell.column])
  }
  editor.edit += 1
  editor.component.setStateValue("draft", { revision: editor.revision, edit: editor.edit, matrices, touched })
}

// Streamlit keeps only the newest of two triggers that arrive during one run, so commands go one by one:
// the next goes when Python has answered. Sizes are absolute, so a waiting one is simply replaced.
function order(editor, command) {
  const last = editor.queue.at(-1)
  if (last && command.name === "resize" && last.name === "resize" && last.size === command.size) editor.queue.pop()
  editor.queue.push(command)
  sendNext(editor)
}

function sendNext(editor) {
  if (editor.asked || !editor.queue.length) return
  const cell = focusedCell(editor)
  if (cell?.typed) accept(editor, cell)
  sendDraft(editor)
  editor.count += 1
  editor.asked = { ...editor.queue.shift(), n: editor.count }
  editor.sent = [...editor.sent.slice(1 - MOST_SENT), editor.asked]
  editor.component.setTriggerValue("command", editor.asked)
  editor.timers.patience = setTimeout(() => finish(editor), PATIENCE)
}

// The command is answered (or given up): sizes shown ahead of Python give way to its own.
function finish(editor) {
  clearTimeout(editor.timers.patience)
  editor.asked = null
  editor.since.clear()
  const waiting = new Set(editor.queue.map((command) => command.size))
  for (const size of editor.wanted.keys()) if (!waiting.has(size)) editor.wanted.delete(size)
  sendNext(editor)
  wordEditor(editor)
}

function receive(editor, component) {
  const { data } = component
  const answered = editor.asked !== null && data.answered >= editor.asked.n
  editor.component = component
  Object.assign(editor, { words: data.words, limit: data.limit, data: data.matrices })
  if (data.revision !== editor.revision) adopt(editor, data, answered)
  wordEditor(editor)
  if (answered) finish(editor)
}

function adopt(editor, data, answered) {
  const typed = answered ? textsSince(editor) : []
  const focused = focusedCell(editor)
  stopTimers(editor)
  editor.revision = data.revision
  editor.unsent = false
  if (!sameNames(editor, data.matrices)) rebuild(editor, data.matrices)
  data.matrices.forEach((given) => setValues(editor.matrices.get(given.name), given))
  nameAll(editor)
  keepFocus(editor, focused)
  typed.forEach((entry) => retype(editor, entry))
  sendDraft(editor)
  showBubble(editor)
}

function sameNames(editor, given) {
  return [...editor.matrices.keys()].join("\n") === given.map((matrix) => matrix.name).join("\n")
}

function setValues(matrix, { values, fresh }) {
  const same = matrix.cells.length === values.length && matrix.cells[0]?.length === values[0]?.length
  if (!same) buildTable(matrix, values.length, values[0].length)
  for (const cell of matrix.cells.flat()) {
    Object.assign(cell, { value: values[cell.row][cell.column], touched: false, typed: false })
    cell.fresh = Boolean(fresh?.[cell.row]?.[cell.column])
    mend(cell)
    showValue(cell)
  }
  dropBlock(matrix)
}

// What was typed after the command went out belongs to what its answer brings.
function textsSince(editor) {
  const focused = focusedCell(editor)
  const open = focused?.typed ? [focused] : []
  return [...new Set([...editor.since, ...open])].map((cell) => ({
    name: cell.matrix.name, row: cell.row, column: cell.column, text: cell.input.value, open: open.includes(cell),
    caret: [cell.input.selectionStart, cell.input.selectionEnd],
  }))
}

function retype(editor, { name, row, column, text, open, caret }) {
  const cell = editor.matrices.get(name)?.cells[row]?.[column]
  if (!cell) return
  cell.input.value = text
  if (open && cell === focusedCell(editor)) {
    cell.input.setSelectionRange(...caret)
    typing(editor, cell)
  } else {
    cell.typed = true
    take(editor, cell)
  }
}

function keepFocus(editor, before) {
  if (!before) return
  const cells = editor.matrices.get(before.matrix.name)?.cells
  if (!cells) return
  const row = cells[Math.min(before.row, cells.length - 1)]
  const cell = row[Math.min(before.column, row.length - 1)]
  if (cell !== focusedCell(editor)) cell.input.focus({ preventScroll: true })
  cell.input.select()
}
