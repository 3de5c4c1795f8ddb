// What the figures are built from. Texts go in as textContent or attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg"
const [PLUS, ORANGE, WITHOUT, WITH] = ["var(--plus)", "var(--orange)", "var(--without)", "var(--with)"]
const INKS = [PLUS, ORANGE, WITH, WITHOUT]
const FIGURES = {} // kind -> draw(root, data, words, state, tell)

function add(parent, tag, className = "", text = "") {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== "") element.textContent = text
  parent.append(element)
  return element
}

function addSvg(parent, tag, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (text !== "") element.textContent = text
  parent.append(element)
  return element
}

function picture(parent, width, height, label) {
  const box = addSvg(parent, "svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label, class: "picture" })
  box.style.maxWidth = `${width * 1.15}px` // letters stay near the size of the page's
  return box
}

function fill(template, values) {
  return String(template ?? "").replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole))
}

// A fixed number of decimals with a real minus sign and no −0.
function fixed(value, decimals = 2) {
  const text = value.toFixed(decimals)
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212")
}

// As fixed, but a whole number stands without decimals.
function plain(value, decimals = 2) {
  return fixed(value, Number.isInteger(Number(value.toFixed(9))) ? 0 : decimals)
}

// A weight with a fixed number of decimals; one that would read as nothing or all says that it is not.
function tiny(weight, decimals) {
  const shown = Number(weight.toFixed(decimals))
  if (shown === 0) return `< 0.${"1".padStart(decimals, "0")}`
  return shown === 1 ? `> 0.${"9".repeat(decimals)}` : fixed(weight, decimals)
}

// 4096 and 16,777,216: thousands are set apart from ten thousand on.
function grouped(value) {
  return value < 10000 ? String(value) : value.toLocaleString("en-US")
}

// A weight as a percentage, never rounded to none or all: softmax gives neither.
function percent(weight) {
  if (weight < 0.0005) return "< 0.1\u00a0%"
  return weight >= 0.9995 ? "> 99.9\u00a0%" : `${(weight * 100).toFixed(1)}\u00a0%`
}

// A share that was set or counted, which can be none or all.
function exactly(share) {
  return `${(share * 100).toFixed(1)}\u00a0%`
}

// A native slider with its name and value; onMove(value) is called while it moves.
function slider(parent, { name, low, high, step, value, show = plain, color = "" }, onMove) {
  const box = add(parent, "label", "slider")
  const head = add(box, "span", "slider-head")
  const title = add(head, "span")
  if (color) add(title, "span", "swatch").style.background = color
  add(title, "span", "", name)
  const output = add(head, "output", "number")
  const input = add(box, "input")
  Object.assign(input, { type: "range", min: low, max: high, step })
  const put = (to) => {
    input.value = to
    output.textContent = show(Number(to))
    input.setAttribute("aria-valuetext", output.textContent)
  }
  input.setAttribute("aria-label", name)
  input.oninput = () => {
    put(input.value)
    onMove(Number(input.value))
  }
  put(value)
  return { put, input }
}

// One of several choices as a row of buttons that wraps; onPick(index).
function choice(parent, name, options, picked, onPick) {
  const box = add(parent, "div", "choice")
  box.setAttribute("role", "radiogroup")
  box.setAttribute("aria-label", name)
  if (name) add(box, "span", "choice-name", name)
  const buttons = options.map((text, i) => {
    const button = add(box, "button", "", text)
    Object.assign(button, { type: "button" })
    button.setAttribute("role", "radio")
    button.onclick = () => {
      mark(i)
      onPick(i)
    }
    return button
  })
  const mark = (at) => buttons.forEach((button, i) => button.setAttribute("aria-checked", String(i === at)))
  box.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const at = buttons.indexOf(event.target)
    if (!by || at < 0) return
    event.preventDefault()
    const next = (at + by + buttons.length) % buttons.length
    buttons[next].focus()
    buttons[next].click()
  }
  mark(picked)
  return { mark, buttons }
}

function toggle(parent, name, on, onTurn) {
  const box = add(parent, "label", "toggle")
  const input = add(box, "input")
  Object.assign(input, { type: "checkbox", checked: on })
  add(box, "span", "", name)
  input.onchange = () => onTurn(input.checked)
  return input
}

// A sentence that screen readers follow as it changes.
function sentence(parent, className = "say") {
  const line = add(parent, "p", className)
  line.setAttribute("aria-live", "polite")
  return (text) => {
    if (line.textContent !== text) line.textContent = text
  }
}

// A matrix in brackets. cell(i, j, button) may colour a cell; onPick(i, j) makes the cells buttons.
function matrix(parent, { name, subscript = "", rows, columns, values, decimals = 2, shape = true }, cell, onPick) {
  const box = add(parent, "figure", "matrix")
  const title = add(box, "figcaption")
  symbol(title, name, subscript)
  if (shape) add(title, "span", "shape", ` ${values.length} × ${values[0].length}`)
  const scroller = add(box, "div", "scroller")
  const table = add(scroller, "table")
  if (columns) {
    const head = add(add(table, "thead"), "tr")
    if (rows) add(head, "td")
    columns.forEach((text) => add(head, "th", "", text))
  }
  const body = add(table, "tbody")
  const cells = values.map((line, i) => {
    const row = add(body, "tr")
    if (rows) add(row, "th", "", rows[i])
    return line.map((value, j) => {
      const place = add(row, "td", "cell")
      const text = value === null ? "\u2212\u221e" : plain(value, decimals)
      if (!onPick) {
        place.textContent = text
      } else {
        const button = add(place, "button", "", text)
        button.type = "button"
        button.setAttribute("aria-label", `${name} ${rows?.[i] ?? i + 1}, ${columns?.[j] ?? j + 1}: ${text}`)
        button.onclick = () => onPick(i, j)
      }
      return place
    })
  })
  if (cell) cells.forEach((line, i) => line.forEach((place, j) => cell(i, j, place)))
  return { box, cells }
}

// A place for a matrix with the sign before it, which stays with it when a line is full.
function withSign(parent, sign) {
  const box = add(parent, "div", "signed")
  add(box, "span", "sign", sign)
  return box
}

function symbol(parent, name, subscript = "") {
  const box = add(parent, "span", "symbol")
  add(box, "i", "", name)
  if (subscript) add(box, "sub", "", subscript)
  return box
}

// A bar with its name before and its number after it.
function bar(parent, name, color = PLUS) {
  const line = add(parent, "div", "bar")
  const title = add(line, "span", "bar-name", name)
  const track = add(line, "span", "track")
  const inside = add(track, "span", "inside")
  inside.style.background = color
  const number = add(line, "span", "number")
  return {
    line,
    title,
    put: (share, text = percent(share)) => {
      inside.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`
      number.textContent = text
    },
  }
}

function softmax(scores) {
  const top = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - top))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}

// The plane: axes, a grid and the places of its points. `reach` is the largest coordinate that is seen.
function plane(parent, size, reach, label) {
  const box = picture(parent, size, size, label)
  box.classList.add("plane")
  const at = (x, y) => [size / 2 + (x / reach) * (size / 2 - 14), size / 2 - (y / reach) * (size / 2 - 14)]
  for (let tick = -Math.floor(reach); tick <= reach; tick += 1) {
    const [x0, y0] = at(tick, tick)
    const weight = tick === 0 ? "axis" : "grid"
    addSvg(box, "line", { x1: x0, x2: x0, y1: 0, y2: size, class: weight })
    addSvg(box, "line", { y1: y0, y2: y0, x1: 0, x2: size, class: weight })
    if (tick !== 0) {
      addSvg(box, "text", { x: x0, y: size / 2 + 12, class: "tick" }, fixed(tick, 0))
      addSvg(box, "text", { x: size / 2 - 9, y: y0 + 3, class: "tick" }, fixed(tick, 0))
    }
  }
  return { box, at }
}

function arrow(parent, color, width = 2.5) {
  const line = addSvg(parent, "line", { stroke: color, "stroke-width": width, "stroke-linecap": "round" })
  const head = addSvg(parent, "path", { fill: color })
  return (x1, y1, x2, y2) => {
    const length = Math.hypot(x2 - x1, y2 - y1)
    const [ux, uy] = length ? [(x2 - x1) / length, (y2 - y1) / length] : [0, 0]
    const size = Math.min(4 + 2.2 * width, length)
    const [bx, by] = [x2 - ux * size, y2 - uy * size]
    for (const [name, value] of Object.entries({ x1, y1, x2: bx, y2: by })) line.setAttribute(name, value)
    const half = size * 0.45
    head.setAttribute("d", length ? `M${x2} ${y2}L${bx - uy * half} ${by + ux * half}L${bx + uy * half} ${by - ux * half}Z` : "")
  }
}
