/** Nesting limit that protects the stack. No API parameter nests deeper. */
export const MAX_JSON_DEPTH = 32
/** Limit on the members of one JSON value: rejecting a wrong member costs far more than sending its two bytes. */
export const MAX_JSON_MEMBERS = 50_000
/** Text up to this length cannot exceed the member limit. */
const MAX_UNSCANNED_CHARACTERS = 10_000

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/** Whether text, valid JSON or not, is too large or too deep. Parsing to find out would take up to 40 times as long. */
export function isExcessiveJson(text: string, members = MAX_JSON_MEMBERS): boolean {
  return (
    text.length > MAX_UNSCANNED_CHARACTERS && isLargeOrDeepJson(text, MAX_JSON_DEPTH, { members, containers: members })
  )
}

interface JsonLimits {
  readonly members: number
  readonly containers: number
}

const REQUEST_JSON_LIMITS: JsonLimits = { members: MAX_JSON_MEMBERS, containers: MAX_JSON_MEMBERS }

export function isLargeOrDeepJson(text: string, maxDepth: number, most = REQUEST_JSON_LIMITS): boolean {
  let members = 0
  let containers = 0
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = endOfString(text, index)
      if (index === -1) return false
    } else if (code === LIST || code === OBJECT) {
      depth += 1
      members += 1
      containers += 1
      if (depth > maxDepth + 1) return true
    } else if (code === LIST_END || code === OBJECT_END) {
      depth -= 1
    } else if (code === COMMA) {
      members += 1
    }
    if (members > most.members || containers > most.containers) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes does not escape the quote.
    if ((end - before) % 2 === 1) return end
  }
  return -1
}
