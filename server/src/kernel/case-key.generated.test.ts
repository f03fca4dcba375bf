import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../testing/effort.ts'
import { caseKey } from './case-key.ts'

/** Letters, some with several Unicode forms: the Angstrom and Kelvin signs, Jamo, and letters with accents. */
const letters = fc.constantFrom(...Array.from('aeIJİıΣςﬁ한が क\u00A0\u3000\u00C5\u212B\u212A\u1112\u1161\u11AB\u1FBC'))
const marks = fc.constantFrom('\u0300', '\u0301', '\u0307', '\u030C', '\u0323', '\u0345', '\u3099', '\u093C', '\u0344')
const name = fc.array(fc.oneof(letters, marks, fc.string({ unit: 'binary', maxLength: 1 })), { maxLength: 12 })

it('gives all Unicode forms of a name the same comparison key', () => {
  fc.assert(
    fc.property(name, (parts) => {
      const given = parts.join('')
      const key = caseKey(given)
      for (const form of ['NFC', 'NFD'] as const) expect(caseKey(given.normalize(form))).toBe(key)
      expect(caseKey(key)).toBe(key)
    }),
    { numRuns: effort(2_000) },
  )
})

it.each([
  ['ΗΣ', 'ης', 'ησ'],
  ['a b', 'a\u00A0b', 'A\u3000B', 'a  b', 'a \u2003\u202F b'],
])('gives names that look like %j the same comparison key', (...names) => {
  expect(new Set(names.map(caseKey)).size).toBe(1)
})

it('distinguishes names that look different', () => {
  const names = ['cafe', 'café', 'cafė', 'ﬁn', 'fin', '２', '2']
  expect(new Set(names.map(caseKey)).size).toBe(names.length)
})
