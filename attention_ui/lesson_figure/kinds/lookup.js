// From tokens to ids to rows of X: pressing words of the vocabulary writes the sentence.

FIGURES.lookup = (root, data, words, state) => {
  const { vocabulary, columns, most } = data
  state.sentence ??= [...data.start]
  const keys = add(root, "div", "choice")
  add(keys, "span", "choice-name", words.add)
  vocabulary.forEach(({ token }, i) => {
    const button = add(keys, "button", "", `+ ${token}`)
    button.type = "button"
    button.onclick = () => state.sentence.length < most && change([...state.sentence, i]) // never disabled: it keeps the focus
  })
  const stage = add(root, "div", "columns tight")
  const say = sentence(root)
  add(root, "p", "quiet", words.remove)

  function change(sentence) {
    state.sentence = sentence
    draw()
  }

  function take(i) {
    if (state.sentence.length > 1) change(state.sentence.filter((_, j) => j !== i))
    const left = stage.querySelectorAll("button")
    left[Math.min(i, left.length - 1)].focus({ preventScroll: true })
  }

  function name(place, token) {
    place.firstChild.textContent = token
    place.firstChild.setAttribute("aria-label", `${token}: ${words.remove}`)
  }

  function draw() {
    const chosen = state.sentence.map((i) => vocabulary[i])
    stage.replaceChildren()
    matrix(stage, { name: words.tokens, values: chosen.map(() => [0]), shape: false }, (i, _, place) => name(place, chosen[i].token), take)
    add(stage, "span", "sign lone", "\u2192")
    matrix(stage, { name: words.ids, values: chosen.map(({ id }) => [id]), shape: false })
    add(stage, "span", "sign lone", "\u2192")
    matrix(stage, { name: "X", rows: chosen.map(({ token }) => token), columns, values: chosen.map(({ row }) => row) })
    for (const button of keys.querySelectorAll("button")) button.setAttribute("aria-disabled", String(state.sentence.length === most))
    say(fill(words.story, { ids: chosen.map(({ id }) => id).join(", "), rows: chosen.length, columns: columns.length }))
  }

  draw()
}
