// Two arrows: their dot product, and that it is the product of the lengths times the cosine of the angle.

FIGURES.angle = (root, data, words, state) => {
  state.angle ??= data.angle
  state.a ??= data.a
  state.b ??= data.b
  const box = add(root, "div", "columns")
  const { box: drawing, at } = plane(add(box, "div"), 300, data.reach, words.alt)
  const origin = at(0, 0)
  const shadow = addSvg(drawing, "line", { stroke: "currentColor", "stroke-width": 6, opacity: 0.25 })
  const drop = addSvg(drawing, "line", { stroke: "currentColor", "stroke-dasharray": "3 3", opacity: 0.6 })
  const first = arrow(drawing, PLUS, 3)
  const second = arrow(drawing, ORANGE, 3)
  const names = [["a", PLUS], ["b", ORANGE]].map(([name, color]) => addSvg(drawing, "text", { style: `font-weight: 700; fill: ${color}` }, name))
  const handle = addSvg(drawing, "circle", { r: 16, fill: "transparent", style: "cursor: grab; touch-action: none" })
  const side = add(box, "div")
  const turn = slider(side, { name: words.angle, low: 0, high: 180, step: 1, value: state.angle, show: (value) => `${value}\u00b0` }, (angle) => draw({ angle }))
  slider(side, { name: words.a, low: 0.5, high: data.reach - 0.5, step: 0.1, value: state.a, show: (value) => fixed(value, 1), color: PLUS }, (a) => draw({ a }))
  const long = slider(side, { name: words.b, low: 0.5, high: data.reach - 0.5, step: 0.1, value: state.b, show: (value) => fixed(value, 1), color: ORANGE }, (b) => draw({ b }))
  const say = sentence(side, "say arithmetic")
  const verdict = sentence(side)

  handle.onpointerdown = (event) => handle.setPointerCapture(event.pointerId)
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return
    const edges = drawing.getBoundingClientRect()
    const unit = (edges.width * (1 - 28 / 300)) / (2 * data.reach)
    const [x, y] = [(event.clientX - edges.x - edges.width / 2) / unit, (edges.y + edges.height / 2 - event.clientY) / unit]
    const angle = Math.round((Math.abs(Math.atan2(y, x)) * 180) / Math.PI)
    const b = Math.max(0.5, Math.min(Math.round(Math.hypot(x, y) * 10) / 10, data.reach - 0.5))
    turn.put(angle)
    long.put(b)
    draw({ angle, b })
  }

  function draw(change = {}) {
    Object.assign(state, change)
    const { angle, a, b } = state
    const turned = (angle * Math.PI) / 180
    const tip = [b * Math.cos(turned), b * Math.sin(turned)]
    const [end, tipAt, foot] = [at(a, 0), at(...tip), at(tip[0], 0)]
    first(...origin, ...end)
    second(...origin, ...tipAt)
    const place = (line, [x1, y1], [x2, y2]) => Object.entries({ x1, y1, x2, y2 }).forEach(([name, value]) => line.setAttribute(name, value))
    place(shadow, origin, foot)
    place(drop, tipAt, foot)
    names[0].setAttribute("x", end[0] - 8)
    names[0].setAttribute("y", end[1] + 26)
    names[1].setAttribute("x", tipAt[0] + 8)
    names[1].setAttribute("y", tipAt[1] - 6)
    handle.setAttribute("cx", tipAt[0])
    handle.setAttribute("cy", tipAt[1])
    const cosine = angle === 90 ? 0 : Math.cos(turned)
    say(`a\u00b7b = ${fixed(a, 1)} \u00b7 ${fixed(b, 1)} \u00b7 cos ${angle}\u00b0 = ${fixed(a * b * cosine)}`)
    verdict(fill(angle < 90 ? words.alike : angle === 90 ? words.nothing : words.against, { cosine: fixed(cosine) }))
  }

  draw()
}
