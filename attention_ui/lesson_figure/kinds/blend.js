// Points in the plane and how much each counts: the result is their weighted sum.

FIGURES.blend = (root, data, words, state) => {
  const { points } = data
  state.weights ??= [...data.weights]
  state.shares ??= [...data.weights] // the last weights by which the others can share
  const box = add(root, "div", "columns")
  const { box: drawing, at } = plane(add(box, "div"), 300, data.reach, words.alt)
  const side = add(box, "div")
  const lines = points.map((point, i) => {
    const color = INKS[i % INKS.length]
    const [x, y] = at(...point.at)
    const line = addSvg(drawing, "line", { stroke: color, "stroke-dasharray": "4 3", x1: x, y1: y })
    addSvg(drawing, "circle", { cx: x, cy: y, r: 5, fill: color })
    addSvg(drawing, "text", { x: x + 9, y: y - 8, class: "name" }, point.name)
    return line
  })
  const result = addSvg(drawing, "rect", { width: 13, height: 13, fill: "currentColor" })
  const label = addSvg(drawing, "text", { style: "font-weight: 600" }, data.result)
  const sliders = points.map((point, i) => slider(side, {
    name: `${point.name}  (${point.at.map((value) => plain(value)).join(", ")})`,
    low: 0, high: 1, step: 0.01, value: state.weights[i], show: exactly, color: INKS[i % INKS.length],
  }, (value) => move(i, value)))
  const say = sentence(root, "say arithmetic")
  const back = add(side, "button", "chip", words.back)
  back.type = "button"
  back.onclick = () => {
    state.weights = state.shares = [...data.weights]
    draw()
  }

  // The others share what is left in the proportions they had, also after they had nothing.
  function move(i, value) {
    const restOf = (weights) => weights.reduce((sum, weight, j) => (j === i ? sum : sum + weight), 0)
    if (restOf(state.weights) > 1e-9) state.shares = state.weights
    const [shares, rest] = [state.shares, restOf(state.shares)]
    state.weights = shares.map((share, j) => (j === i ? value : (share / rest) * (1 - value)))
    draw(i)
  }

  function draw(moving = -1) {
    const sum = [0, 1].map((axis) => points.reduce((total, { at: place }, i) => total + state.weights[i] * place[axis], 0))
    const [x, y] = at(...sum)
    lines.forEach((line, i) => {
      line.setAttribute("x2", x)
      line.setAttribute("y2", y)
      line.setAttribute("stroke-width", 0.5 + 5 * state.weights[i])
    })
    result.setAttribute("x", x - 6.5)
    result.setAttribute("y", y - 6.5)
    label.setAttribute("x", x + 10)
    label.setAttribute("y", y + 18)
    sliders.forEach(({ put }, i) => i !== moving && put(state.weights[i]))
    const terms = points.map((point, i) => `${fixed(state.weights[i])}\u00b7${point.name}`).join(" + ")
    say(`${data.result} = ${terms} = (${sum.map((value) => fixed(value)).join(", ")})`)
  }

  draw()
}
