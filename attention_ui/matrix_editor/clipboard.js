// What spreadsheets put on the clipboard, as rows of texts.

const PASTE_LIMIT = 64 * 1024

function isTooMuch(text) {
  return text.length > PASTE_LIMIT || new TextEncoder().encode(text).length > PASTE_LIMIT
}

// -> rows of texts, or null when it is one value, which the browser pastes by itself.
function readBlock(text) {
  const lines = text.replace(/(\r\n|\r|\n)+$/, "").split(/\r\n|\r|\n/)
  const separator = separatorOf(lines)
  const rows = lines.map((line) => (separator ? trimmed(line, separator).split(separator) : [line]))
  const width = Math.max(...rows.map((row) => row.length))
  if (rows.length * width === 1) return null
  return rows.map((row) => row.concat(Array(width - row.length).fill("")))
}

function separatorOf(lines) {
  const all = lines.join("\n")
  if (all.includes("\t")) return "\t"
  if (all.includes(";")) return ";"
  return lines.some(isSpacedRow) ? / +/ : null
}

// "1 2 3" is a row; "1 000" is one number with a thousands gap, and words are a text.
function isSpacedRow(line) {
  const parts = line.trim().split(/ +/)
  if (parts.length < 2 || /^[+-]?\d{1,3}( \d{3})+$/.test(line.trim())) return false
  return parts.some((part) => "value" in parseNumber(part, Infinity))
}

function trimmed(line, separator) {
  return separator instanceof RegExp ? line.trim() : line
}
