// A sentence that was typed, but that Python has not taken yet, survives a reload: it is kept in the tab as the page goes,
// and sent again when the same address comes back.

const KEPT = "lab.sentence"
// A reload asks for the address as it is before it unloads the page; an answer in between would be too late for it.
const GOING = ["beforeunload", "pagehide"]
const sentenceField = ".st-key-sentence input"
let sentence = null // the text that was typed last, until it is taken

function noteSentence({ target }) {
  if (target.matches?.(sentenceField)) sentence = target.value
}

function takenSentence(text) {
  if (sentence === text) sentence = null
}

function keepSentence({ type }) {
  if (type === "beforeunload") sessionStorage.removeItem(KEPT) // an earlier one may have been a download
  if (sentence === null || document.querySelector(sentenceField)?.value !== sentence) return
  sessionStorage.setItem(KEPT, JSON.stringify({ sentence, address: window.location.href }))
}

// Once for each load of the page, and only when it was loaded again.
function keptSentence() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null")
  sessionStorage.removeItem(KEPT)
  const [load] = performance.getEntriesByType("navigation")
  return load?.type === "reload" && kept?.address === window.location.href ? kept.sentence : null
}

if (!window.labKeepsSentence) {
  window.labKeepsSentence = true
  document.addEventListener("input", noteSentence, true)
  GOING.forEach((type) => window.addEventListener(type, keepSentence))
}
