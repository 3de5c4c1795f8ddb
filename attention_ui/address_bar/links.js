// A click on a link takes the focus from the field in which something was typed, and the browser would ask for the other
// page before it has sent what was typed; so such a click waits a moment.

const SENDING = 300 // ms that what was typed needs on its way to the server
let typing = false

function typedIn(root) {
  const element = root.activeElement
  return element?.shadowRoot ? typedIn(element.shadowRoot) : /^(INPUT|TEXTAREA)$/.test(element?.tagName)
}

function waitForTyped(event) {
  const link = event.target.closest?.("a[href]")
  if (!link || !typing || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  typing = false
  setTimeout(() => link.click(), SENDING)
}

if (!window.labLinksWait) {
  window.labLinksWait = true
  document.addEventListener("pointerdown", () => { typing = typedIn(document) }, true)
  document.addEventListener("click", waitForTyped, true)
}
