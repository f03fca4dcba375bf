import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSorted, includesValue, removeSorted } from './ascending.ts'

const ascending = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  .map((values) => values.toSorted((a, b) => a - b))

describe('ascending lists', () => {
  it('tells whether a number is in an ascending list', () => {
    fc.assert(
      fc.property(ascending, fc.integer({ min: 0, max: 41 }), (list, value) => {
        expect(includesValue(list, value)).toBe(list.includes(value))
      }),
    )
  })

  it('adds numbers to an ascending list without duplicates', () => {
    fc.assert(
      fc.property(ascending, ascending, (list, values) => {
        const both = [...new Set([...list, ...values])].toSorted((a, b) => a - b)
        const after = [...list]
        expect([addSorted(after, values), after]).toEqual([both.length - list.length, both])
      }),
    )
  })

  it('removes given numbers from an ascending list, and returns the removed numbers', () => {
    fc.assert(
      fc.property(ascending, ascending, (list, values) => {
        const after = [...list]
        const removed = removeSorted(after, values)
        expect(removed).toEqual(list.filter((value) => values.includes(value)))
        expect(after).toEqual(list.filter((value) => !values.includes(value)))
      }),
    )
  })
})
