import fc from 'fast-check'
import { expect, it } from 'vitest'
import { positionsWithin, wasSubscribedAt } from './queries/index.ts'

const ascending = fc
  .uniqueArray(fc.nat({ max: 60 }), { maxLength: 30 })
  .map((numbers) => numbers.toSorted((one, other) => one - other))

/** Pairs of start and end; the last period can be open. */
const periods = ascending.map((borders): [number, number | null][] =>
  borders.flatMap((start, index) => (index % 2 === 0 ? [[start, borders[index + 1] ?? null]] : [])),
)

it('selects exactly the message positions that are within subscription periods', () => {
  fc.assert(
    fc.property(ascending, periods, (positions, lasted) => {
      const found = positionsWithin(positions, lasted)
      expect(found).toEqual(positions.filter((position) => wasSubscribedAt({ periods: lasted }, position)))
      // Callers rely on getting the same array if every position is inside.
      expect(found === positions).toBe(found.length === positions.length)
    }),
  )
})
