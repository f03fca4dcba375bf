import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SortedRecords } from './sorted-records.ts'

it('sorts more records than fit in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  try {
    const sorted = new SortedRecords<{ number: number; text: string }>(folder)
    const text = 'x'.repeat(500_000)
    const numbers = Array.from({ length: 101 }, (_, index) => (index * 37) % 101)
    for (const number of numbers) await sorted.add(String(number).padStart(4, '0'), { number, text })
    expect((await readdir(folder)).length).toBeGreaterThan(1)
    const read: number[] = []
    for await (const { number, text: same } of sorted.inOrder()) {
      expect(same).toHaveLength(text.length)
      read.push(number)
    }
    expect(read).toEqual(numbers.toSorted((a, b) => a - b))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Files below a folder that this process has open. */
async function openFiles(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(descriptors.map(async (fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

it.runIf(process.platform === 'linux')('closes the temporary files of a sort when reading stops early', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  try {
    const sorted = new SortedRecords<string>(folder)
    for (let number = 0; number < 50; number += 1) await sorted.add(String(number), 'x'.repeat(500_000))
    for await (const record of sorted.inOrder()) {
      expect(record).toHaveLength(500_000)
      expect(await openFiles(folder)).not.toEqual([])
      break
    }
    expect(await openFiles(folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
