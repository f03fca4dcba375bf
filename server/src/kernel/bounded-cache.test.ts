import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

it("returns only stored values and never exceeds the cache's limit", () => {
  const use = fc.record({ key: fc.nat(12), size: fc.option(fc.nat(15), { nil: undefined }), isRemoved: fc.boolean() })
  fc.assert(
    fc.property(fc.array(use, { maxLength: 200 }), (uses) => {
      const cache = new BoundedCache<number, { size: number }>(20, ({ size }) => size)
      const put = new Map<number, { size: number }>()
      for (const { key, size, isRemoved } of uses) {
        if (size !== undefined) {
          const value = { size }
          cache.set(key, value)
          put.set(key, value)
        } else if (isRemoved) {
          cache.delete(key)
          put.delete(key)
        }
        const found = cache.get(key)
        expect([undefined, put.get(key)]).toContain(found)
        const all = [...cache.entries()]
        for (const [held, value] of all) expect(value).toBe(put.get(held))
        expect(new Set(all.map(([held]) => held)).size).toBe(all.length)
        expect(all.reduce((sum, [, { size: one }]) => sum + one, 0)).toBeLessThanOrEqual(20)
      }
    }),
  )
})

it('keeps recently used values and evicts unused values', () => {
  const cache = new BoundedCache<string, number>(10)
  cache.set('used', 0)
  cache.set('unused', 0)
  for (let index = 0; index < 100; index += 1) {
    cache.set(`other ${index}`, index)
    expect(cache.get('used')).toBe(0)
  }
  expect(cache.get('unused')).toBeUndefined()
  expect([...cache.entries()].length).toBeGreaterThanOrEqual(5)
})

it('does not store values larger than half of the cache', () => {
  const cache = new BoundedCache<string, string>(10, (text) => text.length)
  cache.set('small', 'abc')
  cache.set('large', 'abcdefgh')
  expect(cache.get('large')).toBeUndefined()
  expect(cache.get('small')).toBe('abc')
})
