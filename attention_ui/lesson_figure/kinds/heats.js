// Scores of every token with every token, with one matrix for all or three, and with rows as long as they are or equal.

FIGURES.heats = (root, data, words, state) => {
  state.tied ??= true
  state.longer ??= false
  state.cell ??= [0, 2]
  const controls = add(root, "div", "row")
  toggle(controls, words.tied, state.tied, (on) => draw({ tied: on }))
  toggle(controls, fill(words.longer, { token: data.tokens.at(-1), times: data.times }), state.longer, (on) => draw({ longer: on }))
  const box = add(root, "div", "columns tight")
  const say = sentence(root)
  const more = sentence(root, "quiet")

  function draw(change = {}) {
    Object.assign(state, change)
    const found = data.variants[`${state.tied ? "tied" : "free"}_${state.longer ? "longer" : "equal"}`]
    const [row, column] = state.cell
    box.replaceChildren()
    const mark = (i, j, place) => {
      place.classList.toggle("picked", i === row && j === column)
      place.classList.toggle("twin", i === column && j === row && row !== column)
    }
    const pick = (i, j) => {
      draw({ cell: [i, j] })
      box.querySelectorAll("button")[i * data.tokens.length + j].focus({ preventScroll: true })
    }
    matrix(box, { name: words.scores, rows: data.tokens, columns: data.tokens, values: found.scores, shape: false }, mark, pick)
    matrix(box, { name: words.weights, rows: data.tokens, columns: data.tokens, values: found.weights, shape: false }, (i, j, place) => {
      const top = Math.max(...found.weights[i])
      place.classList.toggle("used", found.weights[i][j] > top - 1e-9)
    })
    const [a, b] = [data.tokens[row], data.tokens[column]]
    const values = { a, b, there: plain(found.scores[row][column]), back: plain(found.scores[column][row]) }
    say(fill(row === column ? words.self : found.scores[row][column] === found.scores[column][row] ? words.same : words.differ, values))
    more(fill(words.diagonal, { own: found.own, n: data.tokens.length }))
  }

  draw()
}
