// The entry point Streamlit calls: the address follows the settings, without a history entry.

function showQuery(query) {
  const url = new URL(window.location.href)
  const keep = [...url.searchParams].filter(([name]) => name.startsWith("embed"))
  url.search = query
  for (const [name, value] of keep) url.searchParams.append(name, value)
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url)
}

export default function ({ data, setTriggerValue }) {
  // Another session than the page's own knows nothing of what was changed here: connection.js opens the page anew.
  if (window.labSession && window.labSession !== data.session) return
  const text = keptSentence()
  window.labAnswered = data.answered
  window.labBesideAddress = data.beside
  takenSentence(data.answered.sentence)
  showQuery(data.query)
  document.documentElement.lang = data.language
  if (text !== null) whenIdle(() => setTriggerValue("sentence", text))
}
