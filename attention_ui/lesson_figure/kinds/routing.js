// A decides who looks at whom, V what is carried: one is held while the other changes.

FIGURES.routing = (root, data, words, state) => {
  state.route ??= 0
  state.cargo ??= 0
  state.held ??= 0
  choice(root, words.hold, ["A", "V"], state.held, (at) => draw({ held: at }))
  const routes = choice(root, words.route, data.routes.map(({ label }) => label), state.route, (at) => draw({ route: at }))
  const cargos = choice(root, words.cargo, data.cargos.map(({ label }) => label), state.cargo, (at) => draw({ cargo: at }))
  const stage = add(root, "div", "product")
  const say = sentence(root)
  let before = null

  function draw(change = {}) {
    Object.assign(state, change)
    routes.buttons.forEach((button) => { button.disabled = state.held === 0 })
    cargos.buttons.forEach((button) => { button.disabled = state.held === 1 })
    const A = data.routes[state.route].weights
    const V = data.cargos[state.cargo].values
    const output = A.map((row) => V[0].map((_, j) => dot(row, V.map((line) => line[j]))))
    const last = before
    before = output
    stage.replaceChildren()
    matrix(stage, { name: "A", rows: data.tokens, columns: data.tokens, values: A })
    matrix(withSign(stage, "\u00b7"), { name: "V", rows: data.tokens, columns: data.columns, values: V })
    matrix(withSign(stage, "="), { name: "O", rows: data.tokens, columns: data.columns, values: output }, (i, j, place) => {
      place.classList.toggle("used", Boolean(last) && Math.abs(last[i][j] - output[i][j]) > 1e-9)
    })
    say(state.held === 0 ? words.held_A : words.held_V)
  }

  draw()
}
