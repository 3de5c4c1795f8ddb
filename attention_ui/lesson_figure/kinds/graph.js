// Tokens as nodes of a graph; every arrow is as wide as its weight. The arrows can be read in two directions.

FIGURES.graph = (root, data, words, state) => {
  const { variants } = data
  state.variant = Math.min(state.variant ?? 0, variants.length - 1)
  state.flows ??= 0
  choice(root, words.sentence, variants.map(({ label }) => label), state.variant, (at) => draw({ variant: at, picked: null }))
  choice(root, words.reading, [words.looks, words.flows], state.flows, (at) => draw({ flows: at }))
  const stage = add(root, "div")
  const say = sentence(root)
  add(root, "p", "quiet", words.prompt)

  function draw(change = {}) {
    Object.assign(state, change)
    const { tokens, weights } = variants[state.variant]
    const [across, down] = tokens.length > 8 ? [205, 160] : [150, 118] // radii of the ellipse
    const lift = tokens.length === 3 ? 60 : 0 // a triangle leaves room below
    const around = tokens.map((_, i) => (2 * Math.PI * i) / tokens.length - Math.PI / 2)
    const places = around.map((turn) => {
      const [ux, uy] = [Math.cos(turn), Math.sin(turn)]
      return { x: across + 80 + across * ux, y: down + 47 + down * uy, ux, uy }
    })
    stage.replaceChildren()
    const box = picture(stage, 2 * across + 160, 2 * down + 94 - lift, fill(words.alt, { tokens: tokens.join(", ") }))
    tokens.forEach((_, i) => tokens.forEach((__, j) => edge(box, places, i, j, weights[i][j])))
    tokens.forEach((token, i) => node(box, places[i], token, i))
    say(story(tokens, weights))
  }

  function edge(box, places, i, j, weight) {
    const quiet = state.picked != null && state.picked !== i
    if (weight < 0.01) return
    const [from, to] = state.flows ? [j, i] : [i, j]
    const style = { stroke: PLUS, "stroke-width": 0.8 + 9 * weight, fill: "none", opacity: quiet ? 0.08 : 0.45 + 0.55 * weight }
    const group = addSvg(box, "g", { opacity: style.opacity })
    if (i === j) {
      const { x, y, ux, uy } = places[i]
      addSvg(group, "circle", { ...style, opacity: 1, cx: x + ux * 27, cy: y + uy * 20, r: 15 })
      return
    }
    const [{ x: x1, y: y1 }, { x: x2, y: y2 }] = [places[from], places[to]]
    const length = Math.hypot(x2 - x1, y2 - y1)
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
    const side = 7 // so that i → j and j → i do not cover each other
    const shift = [-uy * side, ux * side]
    arrow(group, PLUS, style["stroke-width"])(
      x1 + ux * 30 + shift[0], y1 + uy * 22 + shift[1], x2 - ux * 34 + shift[0], y2 - uy * 26 + shift[1],
    )
  }

  function node(box, { x, y }, token, i) {
    const group = addSvg(box, "g", { role: "button", tabindex: 0, class: "word", "aria-label": token, "aria-pressed": state.picked === i })
    const wide = Math.max(44, 12 + 8 * [...token].length)
    addSvg(group, "rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: 15, class: state.picked === i ? "node on" : "node" })
    addSvg(group, "text", { x, y, class: "middle" }, token)
    const pick = () => {
      draw({ picked: state.picked === i ? null : i })
      stage.querySelectorAll(".word")[i].focus({ preventScroll: true })
    }
    group.addEventListener("click", pick)
    group.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), pick()))
  }

  function story(tokens, weights) {
    if (state.picked == null) return words.all
    const shares = tokens.map((token, j) => `${token} ${percent(weights[state.picked][j])}`).join(", ")
    return fill(state.flows ? words.flow_story : words.look_story, { token: tokens[state.picked], shares })
  }

  draw()
}
