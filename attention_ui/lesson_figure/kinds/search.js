// A search box: the query against the titles (keys), and what comes back is a mixture of the texts (values).

FIGURES.search = (root, data, words, state) => {
  const { topics, queries, books } = data
  state.query ??= 0
  choice(root, words.query, queries.map(({ name }) => name), state.query, draw)
  const box = add(root, "div", "columns")
  const ranking = add(box, "div")
  ranking.style.setProperty("--names", "9rem")
  const answer = add(box, "div")
  const say = sentence(root)

  function draw(at) {
    state.query = at
    const { vector, raw, scores, weights, output } = queries[at]
    ranking.replaceChildren()
    answer.replaceChildren()
    add(ranking, "p", "quiet", `${words.keys} \u00b7 q = (${vector.map((value) => plain(value)).join(", ")})`)
    const order = books.map((_, i) => i).sort((a, b) => weights[b] - weights[a])
    for (const i of order) {
      const line = bar(ranking, books[i].title, PLUS)
      line.put(weights[i])
      line.title.title = books[i].title
      const [key, text] = [books[i].key, books[i].text].map((vector) => vector.map((value) => plain(value, 1)).join(", "))
      add(ranking, "p", "quiet detail", `k = (${key}), v = (${text}), q\u00b7k = ${plain(raw[i])}, q\u00b7k / \u221a${data.d} = ${plain(scores[i])}`)
    }
    add(answer, "p", "quiet", words.output)
    output.forEach((value, axis) => bar(answer, topics[axis], WITH).put(value / data.most, fixed(value)))
    say(fill(words.story, { query: queries[at].name, first: books[order[0]].title, share: percent(weights[order[0]]), second: books[order[1]].title }))
  }

  draw(state.query)
}
