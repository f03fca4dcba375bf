import { isLargeOrDeepJson } from '../../kernel/excessive-json.ts'

/** Limit: deeper values would exhaust the stack when serialized. */
const MAX_DEPTH = 64
/** Number of lists and objects beyond which more of them require a longer text. */
const ALWAYS_ALLOWED = 100_000
/** Average per list or object, which takes far more memory than its two brackets. */
const MIN_CHARACTERS = 20

/**
 * @throws SyntaxError for invalid JSON; RangeError if the value nests too deep or would take far more memory than the
 * text
 */
export function plainJson(text: string): unknown {
  const containers = ALWAYS_ALLOWED + text.length / MIN_CHARACTERS
  if (isLargeOrDeepJson(text, MAX_DEPTH, { members: Infinity, containers }))
    throw new RangeError('it has far more lists and objects, or nests them more deeply, than any export')
  return JSON.parse(text)
}
