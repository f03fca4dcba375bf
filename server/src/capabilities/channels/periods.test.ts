import fc from 'fast-check'
import { expect, it } from 'vitest'
import { covers, positionsWithin, type Subscription } from './queries/index.ts'

const ascending = fc
  .uniqueArray(fc.nat({ max: 60 }), { maxLength: 30 })
  .map((numbers) => numbers.toSorted((one, other) => one - other))

/** Beginnings and ends in turn; the last one may be open. */
const periods = ascending.map((borders): [number, number | null][] =>
  borders.flatMap((start, index) => (index % 2 === 0 ? [[start, borders[index + 1] ?? null]] : [])),
)

it('finds the positions at which a subscription lasted, as asking for each of them does', () => {
  fc.assert(
    fc.property(ascending, periods, (positions, lasted) => {
      // Nothing else of a subscription is looked at.
      const subscription = { periods: lasted } as unknown as Subscription
      const found = positionsWithin(positions, lasted)
      expect(found).toEqual(positions.filter((position) => covers(subscription, position)))
      // Lists that hold all of them are the same list, by which they are compared.
      expect(found === positions).toBe(found.length === positions.length)
    }),
  )
})
