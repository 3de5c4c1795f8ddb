// How far the first token is from the last: through a chain of steps, or looked at directly.

FIGURES.paths = (root, data, words, state) => {
  state.n ??= data.n
  const control = slider(root, { name: words.tokens, low: 3, high: data.most, step: 1, value: state.n, show: (n) => fixed(n, 0) }, draw)
  const stage = add(root, "div")
  const table = add(root, "table", "facts")
  const head = add(add(table, "thead"), "tr")
  for (const text of ["", words.rnn, words.attention]) add(head, "th", "", text)
  const body = add(table, "tbody")
  const rows = ["steps", "path", "scores"].map((name) => {
    const line = add(body, "tr")
    add(line, "th", "", words[name])
    return [add(line, "td"), add(line, "td")]
  })
  const say = sentence(root)

  function draw(n) {
    state.n = n
    const [width, shown] = [440, Math.min(n, 22)]
    const x = (i) => 18 + (i * (width - 36)) / (shown - 1)
    stage.replaceChildren()
    const box = picture(stage, width, 150, fill(words.alt, { n }))
    addSvg(box, "text", { x: 4, y: 12 }, words.rnn)
    addSvg(box, "text", { x: 4, y: 86 }, words.attention)
    for (let i = 0; i < shown; i += 1) {
      if (i > 0) arrow(box, WITHOUT, 1.6)(x(i - 1) + 5, 40, x(i) - 5, 40)
      if (i > 0) addSvg(box, "path", { d: `M${x(i)} 140Q${(x(i) + x(0)) / 2} ${132 - 34 * (i / shown)} ${x(0)} 140`, fill: "none", stroke: WITH, "stroke-width": i === shown - 1 ? 3 : 0.7, opacity: i === shown - 1 ? 1 : 0.5 })
      for (const y of [40, 140]) addSvg(box, "circle", { cx: x(i), cy: y, r: 5, class: i === 0 || i === shown - 1 ? "dot end" : "dot" })
    }
    if (shown < n) addSvg(box, "text", { x: width - 4, y: 12, class: "end" }, fill(words.cut, { shown, n }))
    const numbers = [[n, 1], [n - 1, 1], [0, n * n]]
    numbers.forEach((pair, i) => pair.forEach((value, j) => { rows[i][j].textContent = grouped(value) }))
    say(fill(words.story, { n, path: n - 1, scores: grouped(n * n) }))
  }

  draw(Number(control.input.value))
}
