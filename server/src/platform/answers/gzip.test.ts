import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { gzipParts } from './gzip.ts'

it.each([
  ['nothing', []],
  ['one part', ['alone']],
  ['empty parts', ['', 'a', '', 'b', '']],
  ['parts that repeat each other', ['{"a":1}'.repeat(10_000), '{"a":1}'.repeat(10_000)]],
  ['parts that cannot be compressed', [randomBytes(200_000), randomBytes(3)]],
])('puts %s into one member that any client unpacks', async (_, texts) => {
  const parts = texts.map((text, index) => ({ bytes: Buffer.from(text), isKept: index % 2 === 0 }))
  const whole = Buffer.concat(parts.map(({ bytes }) => bytes))
  for (let time = 0; time < 2; time += 1) expect(gunzipSync(await gzipParts(parts)).equals(whole)).toBe(true)
})
