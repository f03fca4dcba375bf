import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addToRanges, covers, removeFromRanges, type Range } from './ranges.ts'

const MAX_NUMBER = 40
const numbers = fc
  .uniqueArray(fc.integer({ min: 1, max: MAX_NUMBER }), { maxLength: 20 })
  .map((values) => values.toSorted((a, b) => a - b))
const change = fc.record({ kind: fc.constantFrom('cover', 'uncover'), values: numbers })

function numbersIn(ranges: readonly Range[]): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
}

it('contains the same numbers as a set after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const ranges: Range[] = []
      const naive = new Set<number>()
      for (const { kind, values } of changes) {
        const isAdded = kind === 'cover'
        const changed = values.filter((value) => naive.has(value) !== isAdded)
        expect(isAdded ? addToRanges(ranges, values) : removeFromRanges(ranges, values)).toEqual(
          isAdded ? changed.length : changed,
        )
        for (const value of changed) if (!naive.delete(value)) naive.add(value)
        expect(numbersIn(ranges)).toEqual([...naive].toSorted((a, b) => a - b))
        expect(ranges.every(([first, last], index) => first <= last && (ranges[index - 1]?.[1] ?? -1) < first)).toBe(
          true,
        )
        for (let value = 0; value <= MAX_NUMBER + 1; value += 1) expect(covers(ranges, value)).toBe(naive.has(value))
      }
    }),
  )
})
