// Saves a chart of the page as a file: the SVG that is drawn, on white, with its title above and the settings below.

const [INK, PAPER, MARGIN, LINE] = ["#1c2430", "#ffffff", 20, 18]
const SCALE = 3 // pixels of a PNG for each of the chart's
const PALE = "#c9ced4" // of axes and grid lines
const SVG = "http://www.w3.org/2000/svg"

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".box")
  if (!box.firstChild) build(box)
  const [select, svg, png, told] = box.children
  const chosen = select.value
  select.replaceChildren(...data.charts.map(({ title }, i) => new Option(title, String(i))))
  if (chosen && Number(chosen) < data.charts.length) select.value = chosen
  select.setAttribute("aria-label", data.words.chart)
  svg.textContent = data.words.svg
  png.textContent = data.words.png
  const save = async (kind) => {
    const chart = data.charts[Number(select.value)]
    const drawn = document.querySelector(`${chart.selector} svg.marks`)
    told.textContent = drawn ? "" : data.words.missing
    if (!drawn) return
    const picture = framed(drawn, chart.title, chart.note)
    const text = new XMLSerializer().serializeToString(picture)
    const blob = new Blob([text], { type: "image/svg+xml" })
    download(kind === "svg" ? blob : await pixels(blob, picture), `${chart.file}.${kind}`)
  }
  svg.onclick = () => save("svg")
  png.onclick = () => save("png")
}

function build(box) {
  const told = document.createElement("p")
  told.className = "told"
  told.setAttribute("role", "status")
  const [svg, png] = [0, 1].map(() => Object.assign(document.createElement("button"), { type: "button" }))
  box.append(document.createElement("select"), svg, png, told)
}

function framed(drawn, title, note) {
  const { width, height } = drawn.viewBox.baseVal.width ? drawn.viewBox.baseVal : drawn.getBoundingClientRect()
  const across = Math.max(width, 360) + 2 * MARGIN
  const lines = wrapped(note, Math.floor((across - 2 * MARGIN) / 6.5))
  const down = height + (2.6 + lines.length) * LINE + 2 * MARGIN
  const frame = element("svg", { xmlns: SVG, width: across, height: down, viewBox: `0 0 ${across} ${down}`, color: INK, "font-family": "sans-serif" })
  frame.append(element("rect", { width: across, height: down, fill: PAPER }))
  frame.append(element("text", { x: MARGIN, y: MARGIN + LINE, "font-size": 15, "font-weight": 600, fill: INK }, title))
  const chart = drawn.cloneNode(true)
  for (const [name, value] of Object.entries({ x: MARGIN, y: MARGIN + 1.6 * LINE, width, height })) chart.setAttribute(name, value)
  chart.removeAttribute("style")
  onPaper(chart)
  frame.append(chart)
  lines.forEach((line, i) => {
    const y = MARGIN + height + (2.6 + i) * LINE
    frame.append(element("text", { x: MARGIN, y, "font-size": 12, fill: INK }, line))
  })
  return frame
}

// Axes and titles have the theme's colours, which may be pale; on paper they are ink. Marks keep theirs.
function onPaper(chart) {
  const around = (what) => [".role-axis", ".role-title", ".role-legend"].map((part) => `${part} ${what}`).join(", ")
  for (const text of chart.querySelectorAll(around("text"))) text.setAttribute("fill", INK)
  for (const line of chart.querySelectorAll(around("line"))) line.setAttribute("stroke", PALE)
}

function element(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text) made.textContent = text
  return made
}

// Lines of at most so many letters, where a Chinese character counts twice.
function wrapped(text, most) {
  const wide = (part) => [...part].reduce((sum, char) => sum + (char > "\u2e80" ? 2 : 1), 0)
  const lines = [""]
  for (const part of text.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*|\s+/g) ?? []) {
    if (wide(lines.at(-1) + part) > most && lines.at(-1)) lines.push("")
    lines[lines.length - 1] += part
  }
  return lines
}

async function pixels(blob, picture) {
  const url = URL.createObjectURL(blob)
  const image = new Image()
  await new Promise((done, failed) => Object.assign(image, { onload: done, onerror: failed, src: url }))
  const canvas = document.createElement("canvas")
  canvas.width = Number(picture.getAttribute("width")) * SCALE
  canvas.height = Number(picture.getAttribute("height")) * SCALE
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(url)
  return new Promise((done) => canvas.toBlob(done, "image/png"))
}

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}
