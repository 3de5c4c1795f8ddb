// A sentence from top to bottom; from the picked token lines as wide as its weights run to all tokens.

FIGURES.looks = (root, data, words, state) => {
  const { variants } = data
  state.variant = Math.min(state.variant ?? 0, variants.length - 1)
  if (variants.length > 1) choice(root, words.sentence, variants.map(({ label }) => label), state.variant, open)
  add(root, "p", "quiet", words.prompt)
  const stage = add(root, "div")
  const say = sentence(root)

  function open(at) {
    Object.assign(state, { variant: at, picked: undefined })
    draw()
  }

  function draw() {
    const { tokens, weights, picked } = variants[state.variant]
    const from = Math.min(state.picked ?? picked, tokens.length - 1)
    const [width, high] = [420, 27]
    const [left, right] = [140, 250]
    stage.replaceChildren()
    const box = picture(stage, width, tokens.length * high, fill(words.alt, { token: tokens[from] }))
    const y = (i) => (i + 0.5) * high
    weights[from].forEach((weight, j) => {
      const middle = (left + right) / 2
      addSvg(box, "path", {
        d: `M${left} ${y(from)}C${middle} ${y(from)} ${middle} ${y(j)} ${right} ${y(j)}`, fill: "none",
        stroke: PLUS, "stroke-width": 1 + 13 * weight, "stroke-opacity": 0.4 + 0.6 * weight,
      })
    })
    tokens.forEach((token, i) => {
      const word = addSvg(box, "g", { role: "button", tabindex: 0, class: "word", "aria-label": token, "aria-pressed": i === from })
      if (i === from) addSvg(word, "rect", { x: 2, y: i * high + 2, width: left - 6, height: high - 4, rx: 4, class: "from" })
      else addSvg(word, "rect", { x: 2, y: i * high + 2, width: left - 6, height: high - 4, fill: "transparent" })
      addSvg(word, "text", { x: left - 12, y: y(i) + 5, class: "end", style: i === from ? "font-weight: 700" : "" }, token)
      const pick = () => {
        state.picked = i
        draw()
        stage.querySelectorAll(".word")[i].focus({ preventScroll: true })
      }
      word.addEventListener("click", pick)
      word.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), pick()))
      const share = weights[from][i]
      const bold = share === Math.max(...weights[from]) ? "font-weight: 700" : ""
      addSvg(box, "text", { x: right + 8, y: y(i) + 5, style: bold }, token)
      addSvg(box, "text", { x: width - 4, y: y(i) + 5, class: "end number", style: bold }, percent(share))
    })
    const top = weights[from].indexOf(Math.max(...weights[from]))
    say(fill(words.story, { query: tokens[from], key: tokens[top], share: percent(weights[from][top]) }))
  }

  draw()
}
