// The formula; pressing a symbol tells what it is.

FIGURES.formula = (root, data, words, state) => {
  state.symbol ??= "QK"
  const line = add(root, "div", "formula")
  line.setAttribute("role", "group")
  line.setAttribute("aria-label", words.alt)
  const buttons = {}
  const press = (parent, name, letters) => {
    const button = add(parent, "button", "symbol", letters)
    button.type = "button"
    button.onclick = () => draw(name)
    buttons[name] = button
  }
  add(line, "span", "symbol", "Attention(Q, K, V) =")
  const right = add(line, "span", "formula-right")
  press(right, "softmax", "softmax")
  add(right, "span", "big", "(")
  const fraction = add(right, "span", "fraction")
  const above = add(fraction, "span", "above")
  press(above, "Q", "Q")
  press(above, "K", "K\u1d40")
  const below = add(fraction, "span", "below")
  press(below, "root", "\u221ad\u2096")
  add(right, "span", "big", ")")
  press(right, "V", "V")
  const more = add(root, "div", "choice")
  for (const [name, letters] of [["QK", "QK\u1d40"], ["A", "A = softmax(\u2026)"], ["all", "A\u00b7V"]]) {
    const button = add(more, "button", "", letters)
    button.type = "button"
    button.onclick = () => draw(name)
    buttons[name] = button
  }
  const say = sentence(root)

  function draw(name) {
    state.symbol = name
    for (const [each, button] of Object.entries(buttons)) button.setAttribute("aria-pressed", String(each === name))
    say(fill(words[name], data.values))
  }

  draw(state.symbol)
}
