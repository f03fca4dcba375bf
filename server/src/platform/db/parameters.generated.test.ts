import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { binaryArray, type ElementType } from './parameters.ts'

const server = useTestServer()

async function roundTrip(type: ElementType, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await server().parley.database.pool.query<{ list: unknown }>(
    `select to_jsonb($1::${type}[]) as list`,
    [binaryArray(type, values)],
  )
  return rows[0]?.list
}

const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 60, maxLength: 200 }), fc.constant('\\"{},NULL'))
  .map((any) => any.replaceAll('\0', '').toWellFormed())
const json = fc.jsonValue({ stringUnit: 'grapheme' }).filter((value) => {
  const written = JSON.stringify(value)
  // Excludes text that PostgreSQL cannot store, and numbers that it writes in another form.
  return !written.includes('\\u0000') && written.isWellFormed() && !/\\ud|e[+-]?\d|-0/i.test(written)
})

it.each([
  [
    'bigint',
    fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 31, 2 ** 32, -(2 ** 31))),
  ],
  ['boolean', fc.boolean()],
  ['text', text],
] as const)('sends a list of %s to the database unchanged', async (type, value) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option<unknown>(value), { maxLength: 30 }), async (values) => {
      expect(await roundTrip(type, values)).toEqual(values)
    }),
    { numRuns: effort(50) },
  )
})

it('reads a list of bigint unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger()), { maxLength: 30 }), async (values) => {
      const { rows } = await server().parley.database.pool.query<{ list: unknown }>(
        'select array(select value::bigint from jsonb_array_elements_text($1::jsonb) as value) as list',
        [JSON.stringify(values)],
      )
      expect(rows).toEqual([{ list: values }])
    }),
    { numRuns: effort(50) },
  )
})

it('sends a list of jsonb to the database unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(json.filter((value) => value !== null)), async (values) => {
      expect(
        await roundTrip(
          'jsonb',
          values.map((value) => JSON.stringify(value)),
        ),
      ).toEqual(values)
    }),
    { numRuns: effort(50) },
  )
})

it('sends texts of any length to the database unchanged', async () => {
  const texts = ['', 'a'.repeat(100_000), 'ü', 'é'.repeat(200_000), 'behind']
  expect(await roundTrip('text', texts)).toEqual(texts)
})

it('rejects values that do not match the element type', () => {
  expect(() => binaryArray('text', [{}])).toThrow('a list of text cannot hold object')
  expect(() => binaryArray('text', [1])).toThrow('a list of text cannot hold number')
  expect(() => binaryArray('bigint', [undefined])).toThrow('a list of bigint cannot hold undefined')
})
