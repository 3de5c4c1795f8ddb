// The matrix editor: what keys, pastes and pointers do to the cells, and the entry point Streamlit calls.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }

const editors = new WeakMap() // parentElement -> editor
const cellOfInput = new WeakMap()

function createEditor(component) {
  const root = component.parentElement.querySelector(".editor")
  const started = Math.max(Date.now(), component.data.answered ?? 0)
  const editor = {
    root, component, matrices: new Map(), revision: null, data: [], words: {}, limit: 0, unsent: false,
    // Counters begin at the clock so that they also grow from one mount to the next.
    started, edit: started, count: started,
    queue: [], asked: null, sent: [], since: new Set(), wanted: new Map(), timers: {},
  }
  listen(editor)
  editor.watch = new ResizeObserver(() => placeLines(editor))
  editor.watch.observe(root)
  editor.keep = (event) => keepEdits(editor, event)
  GOING.forEach((type) => window.addEventListener(type, editor.keep))
  return editor
}

function rebuild(editor, given) {
  editor.root.replaceChildren()
  editor.matrices = new Map(given.map(({ name }) => {
    const matrix = buildMatrix(name, editor.root, (what, step) => press(editor, name, what, step))
    matrix.scroller.onscroll = () => showBubble(editor)
    return [name, matrix]
  }))
  editor.bubble = make("div", "bubble", editor.root)
  editor.bubble.hidden = true
  editor.bubble.setAttribute("aria-hidden", "true") // the line under the matrix says the same
}

function nameAll(editor) {
  for (const given of editor.data) {
    const matrix = editor.matrices.get(given.name)
    nameLines(matrix, given.rows, given.columns)
    matrix.cells.flat().forEach((cell) => cellOfInput.set(cell.input, cell))
  }
}

// Everything but the numbers; runs on each update from Python.
function wordEditor(editor) {
  nameAll(editor)
  for (const given of editor.data) {
    const matrix = editor.matrices.get(given.name)
    for (const cell of matrix.cells.flat()) {
      if (!cell.touched) cell.fresh = Boolean(given.fresh?.[cell.row]?.[cell.column])
      cell.box.classList.toggle("fresh", cell.fresh)
    }
    wordMatrix(editor, matrix, given)
    wordStepper(editor, matrix, given.size)
  }
  placeLines(editor)
  showBubble(editor)
}

function press(editor, matrix, name, step) {
  if (name !== "resize") return order(editor, { name, matrix })
  const { size } = editor.data.find((given) => given.name === matrix)
  const to = (editor.wanted.get(size.name) ?? size.value) + step
  editor.wanted.set(size.name, to)
  order(editor, { name, matrix, size: size.name, to })
  wordEditor(editor)
}

function focusedCell(editor) {
  return cellOfInput.get(editor.root.getRootNode().activeElement)
}

function move(editor, cell, [down, right]) {
  const target = cell.matrix.cells[cell.row + down]?.[cell.column + right]
  if (target) return target.input.focus()
  leave(editor, cell)
  cell.input.select()
}

function onKey(editor, cell, event) {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  // Streamlit has one-letter shortcuts and cannot see that the focus is in an input inside the shadow root.
  event.stopPropagation()
  if (event.key === "Escape") restore(editor, cell)
  else if (event.key === "Enter") move(editor, cell, [event.shiftKey ? -1 : 1, 0])
  else if (event.key in ARROWS && !event.shiftKey && leavesCell(cell, event.key)) move(editor, cell, ARROWS[event.key])
  else return
  event.preventDefault()
}

function leavesCell({ input, matrix, row, column }, key) {
  const [down, right] = ARROWS[key]
  if (!matrix.cells[row + down]?.[column + right]) return false
  const { selectionStart: start, selectionEnd: end, value } = input
  if (key === "ArrowLeft") return start === 0 && (end === 0 || end === value.length)
  if (key === "ArrowRight") return end === value.length && (start === end || start === 0)
  return true
}

function onPaste(editor, cell, event) {
  const text = event.clipboardData?.getData("text/plain") ?? ""
  const block = isTooMuch(text) ? "too much" : readBlock(text)
  if (!block) return
  event.preventDefault()
  if (block === "too much") return refuse(editor, cell, "paste_too_much")
  const sizes = {
    rows: block.length, columns: block[0].length,
    free_rows: cell.matrix.cells.length - cell.row, free_columns: cell.matrix.cells[0].length - cell.column,
  }
  if (sizes.rows > sizes.free_rows || sizes.columns > sizes.free_columns) return refuse(editor, cell, "paste_no_fit", sizes)
  pasteBlock(editor, cell, block)
}

function pasteBlock(editor, { matrix, row, column, input }, block) {
  stopTimers(editor)
  dropBlock(matrix)
  block.forEach((line, i) => line.forEach((text, j) => {
    const cell = matrix.cells[row + i][column + j]
    cell.input.value = text.trim()
    cell.typed = true
    if (editor.asked) editor.since.add(cell)
    take(editor, cell)
  }))
  sendDraft(editor)
  input.select()
  showBubble(editor)
}

function onLeave(editor, cell, event) {
  leave(editor, cell)
  if (cellOfInput.get(event.relatedTarget)?.matrix !== cell.matrix) dropBlock(cell.matrix)
  editor.bubble.hidden = true
}

// Once for each editor: all cells, also later ones, are heard from the root.
function listen(editor) {
  let entered = null
  const on = (type, act) => editor.root.addEventListener(type, (event) => {
    const cell = cellOfInput.get(event.target)
    if (cell) act(editor, cell, event)
  })
  on("keydown", onKey)
  on("paste", onPaste)
  on("input", (_, cell, event) => event.isComposing || typing(editor, cell))
  on("compositionend", (_, cell) => typing(editor, cell))
  on("focusout", onLeave)
  on("focusin", (_, cell) => {
    cell.input.select()
    showBubble(editor)
  })
  // The click that focuses a cell would put the caret and undo the selection.
  on("pointerdown", (_, cell) => { entered = cell === focusedCell(editor) ? null : cell })
  on("click", (_, cell) => { if (entered === cell) cell.input.select() })
}

export default function (component) {
  const { parentElement } = component
  if (!editors.has(parentElement)) editors.set(parentElement, createEditor(component))
  const editor = editors.get(parentElement)
  const first = editor.revision === null
  receive(editor, component)
  if (first) takeKeptEdits(editor)
  return () => close(editor, parentElement)
}

// Streamlit also calls this when new data overtakes a call of the function above, with the editor still in use.
function close(editor, parentElement) {
  if (editor.root.isConnected) return
  stopTimers(editor)
  clearTimeout(editor.timers.patience)
  editor.watch.disconnect()
  GOING.forEach((type) => window.removeEventListener(type, editor.keep))
  editors.delete(parentElement)
}
