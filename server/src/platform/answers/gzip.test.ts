import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { gzipParts, gzipSlices } from './gzip.ts'

it.each([
  ['an empty list of parts', []],
  ['one part', ['alone']],
  ['empty parts', ['', 'a', '', 'b', '']],
  ['parts that repeat each other', ['{"a":1}'.repeat(10_000), '{"a":1}'.repeat(10_000)]],
  ['a part that is compressed in several slices', ['{"a":1}'.repeat(100_000)]],
  ['parts that cannot be compressed', [randomBytes(200_000), randomBytes(3)]],
])('packs %s into a single gzip member that any client can unpack', async (_, texts) => {
  const parts = texts.map((text, index) => ({ bytes: Buffer.from(text), isKept: index % 2 === 0 }))
  const whole = Buffer.concat(parts.map(({ bytes }) => bytes))
  for (let time = 0; time < 2; time += 1) expect(gunzipSync(await gzipParts(parts, 'Ann')).equals(whole)).toBe(true)
  const slices = (async function* () {
    for (const { bytes } of parts) yield await Promise.resolve(bytes)
  })()
  expect(gunzipSync(await buffer(gzipSlices(slices, 'Ann'))).equals(whole)).toBe(true)
})

it("sends responses uncompressed while 64 of the account's responses await compression", async () => {
  const bytes = Buffer.from('{"a":1}'.repeat(20_000))
  const packed = async (who: string): Promise<Buffer> => gzipParts([{ bytes, isKept: false }], who)
  const [ofBob, ...ofAnn] = await Promise.all(
    [...Array.from({ length: 200 }, () => 'Ann'), 'Bob'].map(packed).toReversed(),
  )
  expect([...ofAnn, ofBob ?? bytes].every((one) => gunzipSync(one).equals(bytes))).toBe(true)
  expect(ofBob?.length).toBeLessThan(bytes.length / 10)
  expect(ofAnn.filter(({ length }) => length > bytes.length)).toHaveLength(200 - 65 + 1)
})

it('varies the size of identical compressed responses', async () => {
  const bytes = Buffer.from('secret')
  const packed = await Promise.all(Array.from({ length: 40 }, async () => gzipParts([{ bytes, isKept: false }], 'Ann')))
  expect(new Set(packed.map(({ length }) => length)).size).toBeGreaterThan(10)
})
