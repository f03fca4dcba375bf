import { isLargeOrDeepJson } from '../../kernel/excessive-json.ts'

/** Exceeds the nesting of any record. Deeper values would exhaust the stack when serialized. */
const MAX_DEPTH = 64
/** Lists and objects allowed in any text; further ones depend on the text's length. */
const ALWAYS_ALLOWED = 100_000
/** Average characters per list or object. Each takes far more memory than its two brackets. */
const MIN_CHARACTERS = 20

/**
 * Parses untrusted JSON.
 * @throws SyntaxError for invalid JSON; RangeError if the value would take far more memory than the text, or nests too
 * deep
 */
export function plainJson(text: string): unknown {
  const containers = ALWAYS_ALLOWED + text.length / MIN_CHARACTERS
  if (isLargeOrDeepJson(text, MAX_DEPTH, { members: Infinity, containers }))
    throw new RangeError('it has far more lists and objects, or more within each other, than any export')
  return JSON.parse(text)
}
