import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Interactions } from '../src/capabilities/measurements/interactions.ts'

/** Sorts the times of all interactions, and returns the slowest after skipping one per 50 interactions. */
function slowestAfterSkipping(events: readonly (readonly [number, number])[]): number | undefined {
  const times = new Map<number, number>()
  for (const [interaction, time] of events) times.set(interaction, Math.max(time, times.get(interaction) ?? 0))
  const slowest = [...times.values()].toSorted((one, other) => other - one)
  return slowest[Math.min(9, slowest.length - 1, Math.floor(slowest.length / 50))]
}

describe('slowest interactions', () => {
  it('computes the same 98th percentile as a full sort of all interactions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 16, max: 900 }), { minLength: 1, maxLength: 3 }), { maxLength: 700 }),
        (all) => {
          const events = all.flatMap((times, index) => times.map((time) => [index + 1, time] as const))
          const interactions = new Interactions()
          for (const [interaction, time] of events) interactions.add(interaction, time)
          expect(interactions.count).toBe(all.length)
          expect(interactions.slow).toBe(slowestAfterSkipping(events))
        },
      ),
    )
  })

  it('ignores pointer moves in interaction measurements', () => {
    const interactions = new Interactions()
    interactions.add(0, 500)
    expect([interactions.count, interactions.slow]).toEqual([0, undefined])
  })
})
