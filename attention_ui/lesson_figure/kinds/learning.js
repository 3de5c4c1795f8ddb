// A run of training that was recorded: its loss, and the weights of the watched queries at the chosen step.

FIGURES.learning = (root, data, words, state) => {
  const { losses, frames, places, uniform } = data
  state.frame ??= 0
  const last = frames.length - 1
  slider(root, { name: words.step, low: 0, high: last, step: 1, value: state.frame, show: (at) => String(frames[at].step) }, draw)
  const box = add(root, "div", "columns")
  const left = add(box, "div")
  add(left, "p", "quiet", words.loss)
  const curve = picture(left, 300, 190, words.loss_alt)
  const [top, right] = [Math.max(uniform, ...losses) * 1.08, losses.length - 1]
  const at = (step, loss) => [44 + (step / right) * 238, 168 - (loss / top) * 156]
  for (const tick of [0, 0.5, 1]) {
    const [, y] = at(0, tick)
    addSvg(curve, "line", { x1: 44, x2: 282, y1: y, y2: y, class: "grid" })
    addSvg(curve, "text", { x: 32, y: y + 4, class: "end", style: "font-size: 11px" }, plain(tick, 1))
  }
  for (const step of [0, right / 2, right]) addSvg(curve, "text", { x: at(step, 0)[0], y: 184, class: "tick" }, String(Math.round(step)))
  const [x0, yu] = at(0, uniform)
  addSvg(curve, "line", { x1: x0, x2: 282, y1: yu, y2: yu, stroke: WITHOUT, "stroke-dasharray": "5 4" })
  addSvg(curve, "text", { x: 280, y: yu - 5, class: "end", style: "font-size: 11px" }, words.uniform)
  addSvg(curve, "polyline", { points: losses.map((loss, i) => at(i, loss).join(",")).join(" "), fill: "none", stroke: WITH, "stroke-width": 2 })
  const dot = addSvg(curve, "circle", { r: 5.5, fill: WITH, stroke: "currentColor" })
  const heat = add(box, "div")
  add(heat, "p", "quiet", fill(words.weights, { queries: places.length, keys: frames[0].weights[0].length }))
  const table = add(add(heat, "div", "scroller"), "table", "heat")
  const cells = places.map((place, i) => {
    const line = add(table, "tr")
    add(line, "th", "", `q${i + 1}`).setAttribute("aria-label", fill(words.query, { i: i + 1 }))
    return frames[0].weights[0].map((_, j) => {
      const cell = add(line, "td", j === place ? "right" : "")
      add(cell, "span", "shade")
      return cell
    })
  })
  const say = sentence(root)

  function draw(frame) {
    state.frame = frame
    const { step, weights, accuracy } = frames[frame]
    const [x, y] = at(step, losses[step])
    dot.setAttribute("cx", x)
    dot.setAttribute("cy", y)
    cells.forEach((line, i) => line.forEach((cell, j) => {
      cell.firstChild.style.opacity = 0.04 + 0.96 * weights[i][j]
      cell.title = percent(weights[i][j])
      cell.setAttribute("aria-label", cell.title)
    }))
    const mean = places.reduce((sum, place, i) => sum + weights[i][place], 0) / places.length
    say(fill(words.story, { step, loss: fixed(losses[step], 3), right: percent(mean), accuracy: exactly(accuracy) }))
  }

  draw(state.frame)
}
