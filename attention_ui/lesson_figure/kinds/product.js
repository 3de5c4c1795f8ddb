// Matrix steps whose result can be asked cell by cell: products, the division by √d_k, the softmax of a row.

FIGURES.product = (root, data, words, state) => {
  const { frames } = data
  state.frame = Math.min(state.frame ?? 0, frames.length - 1)
  state.cell ??= data.picked
  if (frames.length > 1) choice(root, words.step, frames.map((frame) => frame.label), state.frame, open)
  const stage = add(root, "div", "product")
  const say = sentence(root, "say arithmetic")
  add(root, "p", "quiet", words.prompt)

  function open(at) {
    state.frame = at
    draw()
  }

  function draw() {
    const frame = frames[state.frame]
    const { values } = frame.result
    const [row, column] = [Math.min(state.cell[0], values.length - 1), Math.min(state.cell[1], values[0].length - 1)]
    stage.replaceChildren()
    const pick = (i, j) => {
      state.cell = [i, j]
      draw()
      stage.querySelectorAll("button")[i * values[0].length + j].focus({ preventScroll: true })
    }
    const used = (test) => (i, j, place) => place.classList.toggle("used", test(i, j))
    const isLeft = { dot: (i) => i === row, scale: (i, j) => i === row && j === column, softmax: (i) => i === row }[frame.kind]
    matrix(stage, frame.left, used(isLeft))
    if (frame.right) matrix(withSign(stage, "\u00b7"), frame.right, used((i, j) => j === column))
    matrix(withSign(stage, frame.sign ?? "="), frame.result, (i, j, place) => place.classList.toggle("picked", i === row && j === column), pick)
    say(`${place(frame, row, column)} = ${arithmetic(frame, row, column)} = ${plain(values[row][column], 3)}`)
  }

  function place({ result }, i, j) {
    return `${result.name}${result.subscript ?? ""}[${result.rows[i]}, ${result.columns?.[j] ?? j + 1}]`
  }

  function arithmetic({ kind, left, right, root: d }, i, j) {
    const show = (value) => (value < 0 ? `(${plain(value, 3)})` : plain(value, 3))
    if (kind === "dot") return left.values[i].map((value, l) => `${show(value)}\u00b7${show(right.values[l][j])}`).join(" + ")
    if (kind === "scale") return `${show(left.values[i][j])} / \u221a${d}`
    const power = (value) => `exp(${plain(value, 3)})`
    return `${power(left.values[i][j])} / (${left.values[i].map(power).join(" + ")})`
  }

  draw()
}
