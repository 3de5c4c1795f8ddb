// Whether the server still knows this page. After a lost connection the server may have ended the session, or be another
// one; its new session knows nothing of what was changed here, but the address does, so the page opens anew from it.

const REOPENED = "lab.reopened" // in the tab's storage while the page opens anew: what the address could not hold
const SPOKEN = 10000 // ms for which it is said

// What Streamlit's browser side throws at a message that builds on others which were lost with the line. It then stays
// where it is for good, so the page opens anew.
const LOST_MESSAGES = "Bad delta path"

function watchMessages() {
  if (window.labWatchesMessages) return
  window.labWatchesMessages = true
  const lost = (error) => String(error?.message ?? error).includes(LOST_MESSAGES) && openAnew()
  window.addEventListener("error", ({ error, message }) => lost(error ?? message))
  window.addEventListener("unhandledrejection", ({ reason }) => lost(reason))
}

function watchConnection(ask) {
  const app = document.querySelector("[data-test-connection-state]")
  if (!app) return null
  const observer = new MutationObserver(() => app.dataset.testConnectionState === "CONNECTED" && ask())
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  return observer
}

// The address bar leaves the address alone while the session that draws it is not the one that the page knows.
function openAnew() {
  sessionStorage.setItem(REOPENED, window.labBesideAddress ?? "")
  window.location.reload()
}

// -> what is lost, null when the page was not opened anew
function takeReopened() {
  const lost = sessionStorage.getItem(REOPENED)
  sessionStorage.removeItem(REOPENED)
  return lost
}

function say(root, text) {
  root.textContent = text
  setTimeout(() => root.replaceChildren(), SPOKEN)
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (window.labSession && window.labSession !== data.session) return openAnew()
  window.labSession = data.session
  watchMessages()
  const lost = takeReopened()
  if (lost !== null) say(parentElement.querySelector(".reopened"), data.reopened)
  if (lost) whenIdle(() => setTriggerValue("lost", lost))
  const observer = watchConnection(() => setTriggerValue("asked", Date.now()))
  return () => observer?.disconnect()
}
