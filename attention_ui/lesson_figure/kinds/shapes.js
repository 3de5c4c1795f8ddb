// X times W, as rectangles: their sizes, the number of parameters and of multiplications.

FIGURES.shapes = (root, data, words, state) => {
  state.sizes ??= { ...data.sizes }
  const sides = add(root, "div", "columns")
  for (const name of ["n", "d_model", "d_k"]) {
    const values = data.choices[name]
    slider(add(sides, "div"), {
      name: words[name], low: 0, high: values.length - 1, step: 1, value: values.indexOf(state.sizes[name]),
      show: (at) => grouped(values[at]),
    }, (at) => {
      state.sizes[name] = values[at]
      draw()
    })
  }
  const stage = add(root, "div")
  const say = sentence(root)
  add(root, "p", "quiet", words.note)

  function draw() {
    const { n, d_model: model, d_k: head } = state.sizes
    const long = (size) => 14 + 9.5 * Math.log2(size) // drawn by its logarithm
    stage.replaceChildren()
    const box = picture(stage, 470, 175, fill(words.alt, { n, model, head }))
    const middle = 92
    const parts = [["X", "", n, model, PLUS], ["W", "Q", model, head, ORANGE], ["Q", "", n, head, WITH]]
    const total = parts.reduce((sum, [, , , columns]) => sum + long(columns), 0)
    const gap = Math.max(20, (470 - total) / 4)
    let x = gap * 0.75
    parts.forEach(([name, subscript, rows, columns, color], i) => {
      const [wide, high] = [long(columns), long(rows)]
      addSvg(box, "rect", { x, y: middle - high / 2, width: wide, height: high, fill: color, "fill-opacity": 0.18, stroke: color, rx: 3 })
      const title = addSvg(box, "text", { x: x + wide / 2, y: middle, class: "middle", style: "font-style: italic; font-weight: 600" }, name)
      if (subscript) addSvg(title, "tspan", { "font-size": 9, dy: 4 }, subscript)
      addSvg(box, "text", { x: x + wide / 2, y: 170, class: "tick", style: "font-size: 12px" }, `${grouped(rows)} \u00d7 ${grouped(columns)}`)
      x += wide
      if (i < 2) addSvg(box, "text", { x: x + gap / 2, y: middle, class: "middle" }, i ? "=" : "\u00b7")
      x += gap
    })
    say(fill(words.story, { parameters: grouped(model * head), three: grouped(3 * model * head), products: grouped(n * model * head) }))
  }

  draw()
}
