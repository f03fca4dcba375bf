import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../testing/effort.ts'
import { unpackLists, unpackRows } from './packed-rows.ts'
import { packLists, packRows } from './packing-rows.ts'

const RUNS = 1_000

const smallInteger = fc.integer({ min: 0, max: 3 })
const values = fc.oneof(
  smallInteger,
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, '', '0', 'a', '/avatar/1', '/avatar/2', '\0', '\0{}', '\0[]', {}, [], [1], { a: [null] }),
  fc.array(fc.maxSafeInteger(), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
)
/** Rows whose values often repeat or contain the row's ID. */
const rows = fc.array(
  fc.record(
    {
      id: fc.oneof(smallInteger, fc.maxSafeInteger()),
      isOwner: fc.constantFrom(false, false, false, true),
      list: fc.oneof(fc.constant([]), fc.array(fc.nat())),
      mixed: values,
      other: values,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 24 },
)

/** A copy as it arrives through JSON, which has no negative zero. */
function sendThroughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

it('restores any rows exactly after packing, serializing, and unpacking them', () => {
  fc.assert(
    fc.property(rows, (generated) => {
      const original = sendThroughJson(generated).map((row) => ({ ...row, path: `/avatar/${row.id}?version=1` }))
      expect(unpackRows(sendThroughJson(packRows(original)))).toEqual(original)
    }),
    { numRuns: effort(RUNS) },
  )
})

it('shares no objects between unpacked rows', () => {
  const [one, other] = unpackRows(packRows([{ profile: {} }, { profile: {} }]))
  expect(one?.['profile']).toEqual({})
  expect(one?.['profile']).not.toBe(other?.['profile'])
})

it('packs only lists of objects, and leaves other fields as they are', () => {
  const fields = {
    users: [{ id: 7 }, { id: 9 }],
    none: [],
    ids: [1, 2],
    name: 'x',
    record: { 1: { a: 1 } },
    mixed: [{}, 1],
  }
  const packed = sendThroughJson(packLists(fields))
  expect(packed).toEqual({ ...fields, users: { rowCount: 2, columns: [{ key: 'id', steps: [7, 2], but: [] }] } })
  unpackLists(packed)
  expect(packed).toEqual(fields)
})

it('writes a value only once if most rows share it', () => {
  const people = Array.from({ length: 100 }, (_, index) => ({
    user_id: 1_000 + index,
    role: index === 5 ? 100 : 400,
    avatar_url: `/avatar/${1_000 + index}?version=1`,
  }))
  expect(packRows(people).columns.slice(1)).toEqual([
    { key: 'role', usual: 400, but: [[5, 100]] },
    { key: 'avatar_url', of: 'user_id', before: '/avatar/', after: '?version=1', but: [] },
  ])
})
