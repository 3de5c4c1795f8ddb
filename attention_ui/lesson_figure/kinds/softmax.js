// Scores in, weights out: sliders for the scores, the temperature, a shift of all scores, or a division.

FIGURES.softmax = (root, data, words, state) => {
  state.scores ??= [...data.scores]
  state.temperature ??= 1
  state.shift ??= 0
  state.divided ??= false
  const box = add(root, "div", "columns")
  const left = add(box, "div")
  const right = add(box, "div")
  if (!data.divide) {
    data.scores.forEach((score, i) => slider(left, {
      name: data.names[i], low: data.low, high: data.high, step: data.step, value: state.scores[i], show: (value) => plain(value),
    }, (value) => draw({ scores: state.scores.map((old, j) => (j === i ? value : old)) })))
    slider(right, { name: words.temperature, low: -2, high: 3, step: 0.25, value: Math.log2(state.temperature), show: (power) => plain(2 ** power) }, (power) => draw({ temperature: 2 ** power }))
    slider(right, { name: words.shift, low: -100, high: 100, step: 1, value: state.shift, show: (value) => plain(value, 0) }, (shift) => draw({ shift }))
  } else {
    toggle(left, fill(words.divide, { root: plain(Math.sqrt(data.divide)), d: grouped(data.divide) }), state.divided, (divided) => draw({ divided }))
  }
  const into = sentence(root, "quiet")
  const bars = data.names.map((name) => bar(root, name, WITH))
  const say = sentence(root)

  function draw(change = {}) {
    Object.assign(state, change)
    const root = state.divided ? Math.sqrt(data.divide) : 1
    const scores = state.scores.map((score) => (score + state.shift) / state.temperature / root)
    const weights = softmax(scores)
    into(`softmax([${scores.map((score) => plain(score)).join(", ")}])`)
    bars.forEach(({ put }, i) => put(weights[i], tiny(weights[i], 4)))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    say(fill(words.story, { weights: weights.map((weight) => tiny(weight, 4)).join(", "), sum: plain(Number(sum.toFixed(9))) }))
  }

  draw()
}
