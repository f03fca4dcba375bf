import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { ChunkBuffer } from './incoming.ts'

it("returns the email's bytes unchanged for any chunk size", () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256))
  for (const size of [1, 3, 65_535, 65_536, 65_537, 300_000]) {
    const gathered = new ChunkBuffer()
    for (let at = 0; at < bytes.length; at += size) gathered.add(bytes.subarray(at, at + size))
    expect(gathered.bytes().equals(bytes)).toBe(true)
  }
  const gathered = new ChunkBuffer()
  expect(gathered.bytes().length).toBe(0)
  gathered.add(bytes)
  gathered.clear()
  gathered.add(bytes.subarray(0, 2))
  expect(gathered.bytes().equals(bytes.subarray(0, 2))).toBe(true)
})

it('uses little extra memory for an email in tiny chunks', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const memoryInUse = (): number => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const gathered = new ChunkBuffer()
  const before = memoryInUse()
  const pieces = 500_000
  for (let n = 0; n < pieces; n += 1) gathered.add(Buffer.from('abc').subarray(0, 3))
  // Keeping the chunks themselves would take more than 40 MB.
  expect(memoryInUse() - before).toBeLessThan(10_000_000)
  expect(gathered.bytes().length).toBe(3 * pieces)
})
