import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExcessiveJson, MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from './excessive-json.ts'

const trickyText = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', ']', '}', 'a') })
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    trickyText,
    fc.integer(),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(trickyText, tie('json'), { maxKeys: 4 }),
  ),
}))
/** Makes the JSON long enough to be scanned. */
const PADDING = 'x'.repeat(20_000)
const nest = (levels: number, inside: unknown): unknown => (levels === 0 ? inside : [nest(levels - 1, inside)])

describe('excessive JSON', () => {
  it('accepts long JSON whose strings contain quotes, brackets, or commas', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(isExcessiveJson(JSON.stringify([value, PADDING]))).toBe(false)
      }),
    )
    expect(isExcessiveJson(JSON.stringify([',[{'.repeat(200_000)]))).toBe(false)
    expect(isExcessiveJson(JSON.stringify(Array.from({ length: MAX_JSON_MEMBERS }, (_, index) => index)))).toBe(false)
  })

  it('detects JSON with too many members at any depth', () => {
    const ones = Array.from({ length: MAX_JSON_MEMBERS }, () => 1)
    const half = ones.slice(MAX_JSON_MEMBERS / 2)
    fc.assert(
      fc.property(json, (value) => {
        expect(isExcessiveJson(JSON.stringify([value, ...ones]))).toBe(true)
        expect(isExcessiveJson(JSON.stringify({ a: half, b: [value, half] }))).toBe(true)
      }),
      { numRuns: 10 },
    )
    expect(isExcessiveJson(`[${'{},'.repeat(MAX_JSON_MEMBERS)}1]`)).toBe(true)
  })

  it('detects JSON that is nested too deeply, even if it is unterminated', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(isExcessiveJson(JSON.stringify([PADDING, nest(MAX_JSON_DEPTH + 1, value)]))).toBe(true)
      }),
    )
    expect(isExcessiveJson('['.repeat(1_000_000))).toBe(true)
  })
})
