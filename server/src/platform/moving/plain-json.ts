import { isLargeOrDeepJson } from '../../kernel/excessive-json.ts'

/** No record nests deeper. What does would exhaust the stack where it is written again. */
const MAX_DEPTH = 64
/** Lists and objects of any size; more of them are counted by the length of the text. */
const ALWAYS_ALLOWED = 100_000
/** Characters for each list and object, on average. Each takes far more memory than its two characters. */
const MIN_CHARACTERS = 20

/**
 * Parses JSON that comes from elsewhere.
 * @throws SyntaxError where it is none, RangeError where it would take far more memory than the text, or nests too deep
 */
export function plainJson(text: string): unknown {
  const containers = ALWAYS_ALLOWED + text.length / MIN_CHARACTERS
  if (isLargeOrDeepJson(text, MAX_DEPTH, { members: Infinity, containers }))
    throw new RangeError('it has far more lists and objects, or more within each other, than any export')
  return JSON.parse(text)
}
