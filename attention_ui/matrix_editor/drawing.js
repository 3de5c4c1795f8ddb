// The elements of one matrix. Texts go in as textContent, value or attributes, never as markup.

function make(tag, className, parent) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (parent) parent.append(element)
  return element
}

function makeButton(className, parent, press) {
  const button = make("button", className, parent)
  button.type = "button"
  button.onclick = () => button.getAttribute("aria-disabled") !== "true" && press()
  return button
}

function fill(template, values) {
  return String(template ?? "").replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole))
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function setName(element, { letter, subscript }) {
  element.replaceChildren()
  setText(make("i", "", element), letter)
  if (subscript) setText(make("sub", "", element), subscript)
}

function label(button, text) {
  button.title = text
  button.setAttribute("aria-label", text)
}

// press(name, step) tells what was pressed on this matrix.
function buildMatrix(name, parent, press) {
  const section = make("section", "matrix", parent)
  section.setAttribute("role", "group")
  section.dataset.matrix = name
  const head = make("div", "head", section)
  const title = make("span", "name", head)
  const shape = make("span", "shape", head)
  const stepper = buildStepper(head, (step) => press("resize", step))
  const scroller = make("div", "scroller", section)
  const table = make("table", "", scroller)
  const foot = make("div", "foot", section)
  const reset = makeButton("word reset", foot, () => press("reset"))
  const random = makeButton("word random", foot, () => press("randomise"))
  const note = make("span", "note", foot)
  const log = make("div", "log", section)
  log.setAttribute("role", "status")
  log.setAttribute("aria-live", "polite")
  return { name, section, title, shape, stepper, scroller, table, reset, random, note, log, cells: [], block: null }
}

function buildStepper(parent, step) {
  const box = make("span", "stepper", parent)
  box.setAttribute("role", "group")
  const name = make("span", "size", box)
  const minus = makeButton("step minus", box, () => step(-1))
  minus.textContent = MINUS
  const value = make("output", "count", box)
  const plus = makeButton("step plus", box, () => step(1))
  plus.textContent = "+"
  return { box, name, minus, value, plus }
}

// New cells; the header cells get their names in nameLines.
function buildTable(matrix, rows, columns) {
  matrix.table.replaceChildren()
  matrix.log.replaceChildren()
  matrix.block = null
  const top = make("tr", "", make("thead", "", matrix.table))
  make("td", "corner", top)
  matrix.columnHeads = Array.from({ length: columns }, () => makeHead("col", top))
  const body = make("tbody", "", matrix.table)
  matrix.rowHeads = []
  matrix.cells = Array.from({ length: rows }, (_, row) => {
    const line = make("tr", "", body)
    matrix.rowHeads.push(makeHead("row", line))
    return Array.from({ length: columns }, (_, column) => buildCell(matrix, row, column, line))
  })
  // A box that only may scroll reckons its width without the bar and would then scroll sideways too.
  matrix.scroller.classList.toggle("tall", rows > 5)
}

function makeHead(scope, parent) {
  const head = make("th", "", parent)
  head.scope = scope
  return head
}

function buildCell(matrix, row, column, parent) {
  const box = make("td", "cell", parent)
  const input = make("input", "", box)
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false })
  input.setAttribute("autocapitalize", "off")
  return { matrix, row, column, box, input, value: 0, touched: false, fresh: false, typed: false, problem: null, entry: null }
}

function nameLines(matrix, rows, columns) {
  const name = (head, text) => {
    setText(head, text)
    head.title = text
  }
  matrix.rowHeads.forEach((head, row) => name(head, rows[row] ?? String(row + 1)))
  matrix.columnHeads.forEach((head, column) => name(head, columns[column] ?? String(column + 1)))
}
