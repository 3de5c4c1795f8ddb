// A text in a field and a button that copies it. The address is the browser's own, so it is right behind a proxy too.

const TOLD = 2500 // ms for which it is said that it was copied

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".box")
  const url = `${window.location.origin}${window.location.pathname}${data.query ? `?${data.query}` : ""}`
  const text = data.template.replace("{url}", data.template === "{url}" ? url : url.replaceAll("&", "&amp;"))
  if (!box.firstChild) build(box, data.template !== "{url}")
  const [field, button, told] = box.children
  if (field.value !== text) field.value = text
  field.setAttribute("aria-label", data.words.field)
  button.textContent = data.words.copy
  button.onclick = async () => {
    const done = await copy(field)
    told.textContent = done ? data.words.copied : data.words.select
    clearTimeout(told.clearing) // or the first click's would take the second one's words away
    told.clearing = setTimeout(() => {
      told.textContent = ""
    }, TOLD)
  }
}

function build(box, long) {
  const field = document.createElement(long ? "textarea" : "input")
  field.readOnly = true
  field.onfocus = () => field.select()
  const button = document.createElement("button")
  button.type = "button"
  const told = document.createElement("p")
  told.className = "told"
  told.setAttribute("role", "status")
  box.append(field, button, told)
}

// The clipboard needs a secure page; the older way works elsewhere.
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    field.focus()
    field.select()
    return document.execCommand("copy")
  }
}
