import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digestOf, digestOfSet, digestText } from './digest.ts'

const textOf = (value: unknown): string => digestText(digestOf(value))

it('is the same for the same data, in whatever order an object has its fields', () => {
  expect(textOf({ a: 1, b: [true, null] })).toBe(textOf({ b: [true, null], a: 1, c: undefined }))
  expect(textOf({})).toMatch(/^[0-9a-f]{16}$/)
})

it('differs for data that differ, however alike they look', () => {
  const plain = [null, true, false, 0, 1, -1, 0.5, '', '0', '1', 'null', 'true', '[1', '{1', 'a\0', 'a']
  const lists = [[], [[]], [{}], [null], [''], [1, 2], [2, 1], [12], ['1', '2'], ['12'], ['a', 'b'], ['ab'], ['', 'ab']]
  const nested = [[[1], 2], [[1, 2]], [1, [2]]]
  const records = [
    {},
    { a: 1 },
    { a: '1' },
    { b: 1 },
    { a: [1] },
    { a: { a: 1 } },
    { a: 'b' },
    { ab: '' },
    { '': 'ab' },
  ]
  const alike: unknown[] = [...plain, ...lists, ...nested, ...records]
  expect(new Set(alike.map(textOf)).size).toBe(alike.length)
})

it('tells generated data apart', () => {
  const some = fc.jsonValue()
  fc.assert(
    fc.property(some, some, (one, other) => {
      // JSON does not distinguish 0 and -0.
      const [left, right] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      expect(textOf(left) === textOf(right)).toBe(isDeepStrictEqual(left, right))
    }),
    { numRuns: 2_000 },
  )
})

it('is that of a set whatever the order of its members, and counts them', () => {
  const [one, two] = [digestOf('one'), digestOf('two')]
  const ofSet = (...members: (typeof one)[]): string => digestText(digestOfSet(members))
  expect(ofSet(one, two)).toBe(ofSet(two, one))
  expect(new Set([ofSet(), ofSet(one), ofSet(two), ofSet(one, two), ofSet(one, one), ofSet(two, two)]).size).toBe(6)
})
