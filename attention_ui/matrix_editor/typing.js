// A text on its way to being a number: while it is typed, when its cell is left, and when it is taken back.

const COMMIT_PAUSE = 200 // ms after the last key until a valid value is sent
const COMPLAIN_PAUSE = 900 // ms after the last key until a half-typed text counts as wrong

function showValue(cell) {
  const text = formatNumber(cell.value)
  if (cell.input.value !== text) cell.input.value = text
}

function typing(editor, cell) {
  cell.typed = true
  if (editor.asked) editor.since.add(cell)
  dropBlock(cell.matrix)
  stopTimers(editor)
  if ("value" in parseNumber(cell.input.value, editor.limit)) mend(cell)
  editor.timers.commit = setTimeout(() => commit(editor, cell), COMMIT_PAUSE)
  editor.timers.complain = setTimeout(() => complain(editor, cell), COMPLAIN_PAUSE)
  showBubble(editor)
}

function stopTimers(editor) {
  clearTimeout(editor.timers.commit)
  clearTimeout(editor.timers.complain)
}

// Sends the value of a cell while it is still being typed; the text stays as it is.
function commit(editor, cell) {
  if (accept(editor, cell)) sendDraft(editor)
}

function accept(editor, cell) {
  const { value } = parseNumber(cell.input.value, editor.limit)
  if (value === undefined) return false
  if (value !== cell.value) {
    Object.assign(cell, { value, touched: true, fresh: false })
    cell.box.classList.remove("fresh")
    cell.input.title = titleOf(editor.words, cell)
    editor.unsent = true
  }
  return true
}

// Takes what was typed for final: a number is shown as it was understood, anything else is marked.
function take(editor, cell) {
  if (!cell.typed) return
  cell.typed = false
  if (accept(editor, cell)) {
    mend(cell)
    showValue(cell)
  } else {
    complain(editor, cell)
  }
}

function leave(editor, cell) {
  stopTimers(editor)
  take(editor, cell)
  sendDraft(editor)
}

function restore(editor, cell) {
  stopTimers(editor)
  cell.typed = false
  mend(cell)
  dropBlock(cell.matrix)
  showValue(cell)
  cell.input.select()
  sendDraft(editor)
  wordCell(editor, cell)
  showBubble(editor)
}
