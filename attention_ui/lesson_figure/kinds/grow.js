// One query and its keys at every d: raw scores, and the weights without scaling and divided by √d first.

FIGURES.grow = (root, data, words, state) => {
  state.at ??= 0
  state.aligned ??= 0
  choice(root, words.vectors, [words.independent, fill(words.aligned, { c: data.alignment })], state.aligned, (at) => draw({ aligned: at }))
  const last = data.d.length - 1
  slider(root, { name: "d", low: 0, high: last, step: 1, value: state.at, show: (at) => grouped(data.d[at]) }, (at) => draw({ at }))
  const box = add(root, "div", "columns")
  const names = data.keys
  const columns = [["without", WITHOUT, "\u25cf"], ["with", WITH, "\u25a0"]].map(([rule, color, sign]) => {
    const column = add(box, "div")
    add(column, "p", "side", `${sign} ${words[rule]}`).style.color = color
    return { rule, bars: names.map((name) => bar(column, name, color)), note: add(column, "p", "quiet") }
  })
  const say = sentence(root)

  function draw(change = {}) {
    Object.assign(state, change)
    const found = (state.aligned ? data.aligned : data.independent)[state.at]
    for (const { rule, bars, note } of columns) {
      const weights = found[rule]
      bars.forEach(({ put }, i) => put(weights[i]))
      const divisor = rule === "with" ? Math.sqrt(data.d[state.at]) : 1
      note.textContent = fill(words.scores, { scores: found.scores.map((score) => fixed(score / divisor, 1)).join(", ") })
    }
    const d = data.d[state.at]
    const [without, scaled] = [found.without, found.with].map((weights) => percent(Math.max(...weights)))
    say(fill(words.story, { d: grouped(d), root: plain(Math.sqrt(d), 1), without, with: scaled }))
  }

  draw()
}
