/** No parameter of the API nests deeper; the limit keeps hostile JSON from exhausting the stack. */
export const MAX_JSON_DEPTH = 32
/**
 * The most members of all lists and objects in one parameter, or in a body. Checking a wrong member costs far more
 * than its two bytes.
 */
export const MAX_JSON_MEMBERS = 50_000
/** A text of this length has fewer members, and is parsed in less time than it is looked through. */
const SHORT_CHARACTERS = 10_000

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/**
 * Whether a text would be too large or too deep if it were JSON. Nothing else is known of the text: parsing it in
 * order to find that out takes up to forty times as long.
 */
export function isExcessiveJson(text: string): boolean {
  return text.length > SHORT_CHARACTERS && isLargeOrDeepJson(text, MAX_JSON_DEPTH)
}

/** Whether a text of any length would be too large or too deep, for JSON that is gone through as deep as it is. */
export function isLargeOrDeepJson(text: string, maxDepth: number): boolean {
  let members = 0
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = endOfString(text, index)
      if (index === -1) return false
    } else if (code === LIST || code === OBJECT) {
      depth += 1
      members += 1
      if (depth > maxDepth + 1) return true
    } else if (code === LIST_END || code === OBJECT_END) {
      depth -= 1
    } else if (code === COMMA) {
      members += 1
    }
    if (members > MAX_JSON_MEMBERS) return true
  }
  return false
}

/** @returns -1 where there is none */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    // Each second backslash is one that the one before it escapes.
    if ((end - before) % 2 === 1) return end
  }
  return -1
}
