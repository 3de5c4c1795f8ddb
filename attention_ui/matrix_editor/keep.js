// What was edited or pressed, but not answered yet, survives a reload: it is kept in the tab as the page goes, and done
// again when the same address comes back.

const KEPT_EDITS = "lab.edits"
// A reload asks for the address as it is before it unloads the page; an answer in between would be too late for it.
const GOING = ["beforeunload", "pagehide"]

function keepEdits(editor, event) {
  const open = focusedCell(editor)
  if (open) leave(editor, open)
  if (event.type === "beforeunload") sessionStorage.removeItem(KEPT_EDITS) // an earlier one may have been a download
  const edits = { address: window.location.href, cells: unansweredCells(editor), orders: unansweredOrders(editor) }
  if (edits.cells.length || edits.orders.length) sessionStorage.setItem(KEPT_EDITS, JSON.stringify(edits))
}

// The address bar says which draft and which command the address holds; the editor itself is answered a little earlier.
function unansweredCells(editor) {
  if (editor.edit <= Math.max(editor.started, window.labAnswered?.draft ?? 0)) return []
  return [...editor.matrices.values()].flatMap(({ name, cells }) =>
    cells.flat().filter((cell) => cell.touched).map(({ row, column, value }) => ({ name, row, column, value })))
}

function unansweredOrders({ sent, queue }) {
  const open = sent.filter(({ n }) => n > (window.labAnswered?.command ?? 0))
  return [...open, ...queue].map(({ n, ...command }) => command)
}

// Once for each load of the page, and only when it was loaded again.
function takeKeptEdits(editor) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT_EDITS) ?? "null")
  sessionStorage.removeItem(KEPT_EDITS)
  const [load] = performance.getEntriesByType("navigation")
  if (kept?.address !== window.location.href || load?.type !== "reload") return
  for (const { value, ...cell } of kept.cells) retype(editor, { ...cell, text: formatNumber(value), open: false })
  whenIdle(() => {
    sendDraft(editor)
    for (const command of kept.orders) order(editor, command)
  })
}
