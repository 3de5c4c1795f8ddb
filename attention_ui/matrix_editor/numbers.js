// Numbers as people type them. A text is either a float or a reason why it is none; nothing is ever guessed.

const MINUS = "\u2212"
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const NOT_FINITE = /^[+-]?(nan|inf|infinity|\u221e|\u65e0\u7a77\u5927?)$/i
const DIGITS_AND_MARKS = /^[+-]?[\d.,]*\d[\d.,]*(e[+-]?\d+)?$/i

// Only signs that are typed for one another are mapped. (NFKC would also turn 10² into 102.)
function toAscii(text) {
  return text
    .trim()
    .replace(/[\uff10-\uff19\uff25\uff45]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u2212\u2013\uff0d\ufe63]/g, "-")
    .replace(/\uff0b/g, "+")
    .replace(/\uff0c/g, ",")
    .replace(/[\u3002\uff0e\uff61]/g, ".")
}

// -> {value} or {problem}, the problem being the key of its sentence in the words.
function parseNumber(text, limit) {
  const typed = toAscii(text)
  if (typed === "") return { problem: "empty" }
  if (NOT_FINITE.test(typed)) return { problem: "not_finite" }
  if (isAmbiguous(typed)) return { problem: "ambiguous_comma" }
  const number = typed.replace(",", ".")
  if (!NUMBER.test(number)) return { problem: "not_a_number" }
  const value = Number(number)
  if (Math.abs(value) > limit) return { problem: "too_large" }
  if (value !== 0) return { value }
  // 1e-400 is not 0, so it must not become 0 unseen. A typed -0 is 0.
  return /^[^e]*[1-9]/i.test(number) ? { problem: "too_small" } : { value: 0 }
}

// One comma alone is a decimal comma. With a second one, or with a point, it could mean thousands.
function isAmbiguous(typed) {
  const commas = typed.split(",").length - 1
  return DIGITS_AND_MARKS.test(typed) && (commas > 1 || (commas === 1 && typed.includes(".")))
}

// The shortest text that reads back as the same float, with a real minus sign.
function formatNumber(value) {
  return String(value).replace(/-/g, MINUS)
}

function formatLimit(limit) {
  return formatNumber(limit).replace(/\B(?=(\d{3})+$)/g, "\u202f")
}

function shorten(text, length = 24) {
  const signs = Array.from(text.trim())
  return signs.length > length ? signs.slice(0, length - 1).join("") + "\u2026" : signs.join("")
}
