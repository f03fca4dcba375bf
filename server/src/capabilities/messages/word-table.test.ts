import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { WordTable } from './actions/word-table.ts'

const word = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/)

it('has what a map has, for words that stand alone and within a text', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 60 }),
      fc.array(word, { maxLength: 20 }),
      fc.string(),
      fc.string(),
      (known, others, before, after) => {
        const table = new WordTable<string>()
        for (const one of known) table.add(one, `value of ${one}`)
        expect(table.size).toBe(known.length)
        for (const one of [...known, ...others]) {
          const value = known.includes(one) ? `value of ${one}` : undefined
          expect(table.get(one)).toBe(value)
          expect(table.get(before + one + after, before.length, before.length + one.length)).toBe(value)
        }
        table.clear()
        expect(table.size).toBe(0)
        for (const one of known) expect(table.get(one)).toBeUndefined()
      },
    ),
    { numRuns: effort(300) },
  )
})

it('never mistakes a word for another where it is full, and forgets those that have no place', () => {
  const table = new WordTable<number>()
  const words = Array.from({ length: 80_000 }, (_, index) => `w${index}`)
  for (const [index, one] of words.entries()) table.add(one, index)
  const found = words.filter((one) => table.get(one) !== undefined)
  expect(found.length).toBe(table.size)
  expect(table.size).toBeGreaterThan(50_000)
  for (const one of found) expect(`w${table.get(one)}`).toBe(one)
})
