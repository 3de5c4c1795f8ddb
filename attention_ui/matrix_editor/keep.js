// What was edited or pressed, but not answered yet, survives a reload: it is kept in the tab as the page goes, and done
// again when the same address comes back.

const KEPT_EDITS = "lab.edits"

function keepEdits(editor) {
  const open = focusedCell(editor)
  if (open) leave(editor, open)
  const edits = { address: window.location.href, cells: unansweredCells(editor), orders: unansweredOrders(editor) }
  if (edits.cells.length || edits.orders.length) sessionStorage.setItem(KEPT_EDITS, JSON.stringify(edits))
}

// The address bar says which draft the page has answered.
function unansweredCells(editor) {
  if (editor.edit <= Math.max(editor.started, window.labAnswered ?? 0)) return []
  return [...editor.matrices.values()].flatMap(({ name, cells }) =>
    cells.flat().filter((cell) => cell.touched).map(({ row, column, value }) => ({ name, row, column, value })))
}

function unansweredOrders({ asked, queue }) {
  return (asked ? [asked, ...queue] : queue).map(({ n, ...command }) => command)
}

// Once for each load of the page, and only when it was loaded again.
function takeKeptEdits(editor) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT_EDITS) ?? "null")
  sessionStorage.removeItem(KEPT_EDITS)
  const [load] = performance.getEntriesByType("navigation")
  if (kept?.address !== window.location.href || load?.type !== "reload") return
  for (const { value, ...cell } of kept.cells) retype(editor, { ...cell, text: formatNumber(value), open: false })
  sendDraft(editor)
  for (const command of kept.orders) order(editor, command)
}
