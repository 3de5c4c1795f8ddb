// From the text to the output; each box opens its stage elsewhere.

FIGURES.flow = (root, data, words, state, tell) => {
  const list = add(root, "ol", "flow")
  data.boxes.forEach(({ stage, symbol: letters, shape, href }) => {
    const item = add(list, "li")
    const link = add(item, "a", "box")
    link.href = href
    link.target = "_self"
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return // a new tab, as everywhere
      event.preventDefault()
      tell("open", stage)
    }
    add(link, "span", "box-symbol", letters)
    add(link, "span", "box-title", words[stage])
    add(link, "span", "shape", shape)
  })
  add(root, "p", "quiet", words.prompt)
}
