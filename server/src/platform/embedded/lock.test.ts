import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockDataDirectory } from './lock.ts'

async function createFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'parley-lock-'))
  onTestFinished(async () => rm(made, { recursive: true, force: true }))
  return made
}

it('grants only one of many concurrent lock requests, even if a stale lock exists', async () => {
  const directory = await createFolder()
  for (let round = 0; round < 5; round++) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDirectory(directory)))
    const won = results.filter((result) => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]?.value.release()
    // Simulates a killed process: its socket file remains, without a listener.
    await writeFile(join(directory, 'lock', '4194304-dead'), '')
  }
  expect(await readdir(directory)).toEqual(['lock'])
})

it.skipIf(process.geteuid?.() !== 0)('gives a lock created by root to the owner of the directory', async () => {
  const directory = await createFolder()
  await chown(directory, 12345, 12345)
  const lock = await lockDataDirectory(directory)
  const [name = ''] = await readdir(join(directory, 'lock'))
  for (const path of ['lock', `lock/${name}`]) {
    expect(await stat(join(directory, path))).toMatchObject({ uid: 12345, gid: 12345 })
  }
  await lock.release()
})
