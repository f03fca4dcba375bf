import { expect, it } from 'vitest'
import { packPayload, unpackRows } from './packing.ts'
import { parseObject } from '../../testing/json.ts'

const ids = Array.from({ length: 5_000 }, (_, index) => 7 * index * index + 3)

it.each([
  ['no list', { topic: 'x' }],
  ['a short list', { message_ids: [1, 2] }],
  ['a long list', { message_ids: ids, topic: 'x', flags: [] }],
  ['several long lists in any order', { first: ids.toReversed(), second: ids, third: ids.map((id) => -id) }],
  [
    'the largest numbers',
    {
      packed: ids.map((id) => (id % 2 === 0 ? id - 2 ** 51 : 2 ** 51 - id)),
      larger: ids.map((id) => Number.MAX_SAFE_INTEGER - id),
    },
  ],
  [
    'long lists of other values',
    { lists: ids.map((id) => [id]), texts: ids.map(String), halves: ids.map((id) => id / 2) },
  ],
])('stores a payload with %s and reads it back unchanged', (_, payload) => {
  const row = { position: 1, type: 'x', refId: null, audience: {}, changes: null }
  const stored = parseObject(packPayload(payload))
  expect(unpackRows([{ ...row, payload: stored }])).toEqual([{ ...row, payload }])
})

it('stores many IDs in half the space that JSON needs', () => {
  expect(packPayload({ message_ids: ids }).length).toBeLessThan(JSON.stringify({ message_ids: ids }).length / 2)
})

it('reads a payload that an earlier version stored', () => {
  const row = { position: 1, type: 'x', refId: null, audience: {}, changes: null }
  const payload = { topic: 'x', ' packed': { message_ids: '7s -1 a 0' } }
  expect(unpackRows([{ ...row, payload }])).toEqual([
    { ...row, payload: { topic: 'x', message_ids: [280, 279, 289, 289] } },
  ])
})
