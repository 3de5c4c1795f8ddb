// A sentence that was typed, but that the address does not show yet, survives a reload: it is kept in the tab as the page
// goes, and sent again when the same address comes back.

const KEPT = "lab.sentence"
let sentence = null // { text, address } of the last sentence that was typed

function sentenceField(element) {
  return element?.closest?.(".st-key-sentence") ? element : null
}

function noteSentence(event) {
  const field = sentenceField(event.target)
  if (field) sentence = { text: field.value, address: window.location.href }
}

function keepSentence() {
  if (sentence?.address === window.location.href) sessionStorage.setItem(KEPT, JSON.stringify(sentence))
}

// Once for each load of the page, and only when it was loaded again.
function keptSentence() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null")
  sessionStorage.removeItem(KEPT)
  const [load] = performance.getEntriesByType("navigation")
  return kept && load?.type === "reload" && kept.address === window.location.href ? kept.text : null
}

if (!window.labKeepsSentence) {
  window.labKeepsSentence = true
  document.addEventListener("input", noteSentence, true)
  window.addEventListener("pagehide", keepSentence)
}
