import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { fileStore } from '../server-from-config.ts'
import { runHere } from '../testing/command-line.ts'
import { expectDocumented } from '../testing/documented.ts'
import { effort } from '../testing/effort.ts'
import { textWith } from '../testing/expected.ts'
import { createFolder, moveFiles, readSums } from '../testing/moved-files.ts'
import { S3Server } from '../testing/s3-server.ts'

const FILES = effort(60)
/** Enough files that a move can be stopped twice. */
const FILES_FOR_TWO_STOPS = effort(300)
const POLL_CONSTANTLY = { interval: 1 }

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => storage.close())

it('moves files into a bucket, between buckets, and back unchanged', async () => {
  const data = await createFolder(FILES)
  const folder = { PARLEY_DATA_DIR: data, ...storage.login }
  const [one, two] = [storage.address('back/one'), storage.address('back/two')]
  const before = await readSums(folder)
  expect(Object.keys(before)).toHaveLength(FILES)

  const dry = await moveFiles([one, '--dry-run'], folder)
  expectDocumented('files move', dry)
  expect(dry).toMatchObject({ dry_run: true, files: FILES, copied: FILES, there_already: 0, differing: 0, removed: 0 })
  expect(await readSums({ ...folder, PARLEY_FILES: one })).toEqual({})
  expect(await moveFiles([one], folder)).toMatchObject({
    files: FILES,
    copied: FILES,
    copied_bytes: dry['bytes'],
    differing: 0,
  })
  expect(await readSums({ ...folder, PARLEY_FILES: one })).toEqual(before)
  expect(await moveFiles([one], folder)).toMatchObject({ copied: 0, there_already: FILES, differing: 0 })
  expect(await moveFiles([two, '--from', one], folder)).toMatchObject({ copied: FILES, differing: 0 })

  const early = await runHere(['files', 'move', two, '--remove'], folder)
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('To use --remove, set PARLEY_FILES to TO')])
  expect(await readSums(folder)).toEqual(before)
  const inTwo = { ...folder, PARLEY_FILES: two }
  expect(await moveFiles([two, '--from', 'folder', '--remove', '--dry-run'], inTwo)).toMatchObject({ removed: 0 })
  expect(await moveFiles([two, '--from', 'folder', '--remove'], inTwo)).toMatchObject({ removed: FILES, differing: 0 })
  expect(await readSums(folder)).toEqual({})
  expect(await readSums(inTwo)).toEqual(before)

  expect(await moveFiles(['folder'], inTwo)).toMatchObject({ copied: FILES, differing: 0 })
  expect(await readSums(folder)).toEqual(before)
  expect(await moveFiles(['folder', '--from', two, '--verify'], folder)).toMatchObject({
    there_already: FILES,
    differing: 0,
  })
  expect(await readdir(join(data, 'files/incoming'))).toEqual([])
  const { stdout } = await runHere(['files', 'move', 'folder', '--from', one, '--verify'], folder)
  expect(stdout).toMatch(/^From s3:\/\/parley-test\/back\/one\/ to \/.*, in [\d.]+ s:\n/)
  expect(stdout).toContain(`\n  ${FILES} files, `)
  expect(stdout).toContain(`0 files, 0 B copied; ${FILES} already there\n  0 of ${FILES} differ\n`)
})

it('resumes a move after a stop or an outage of the storage', async () => {
  const fragile = await S3Server.start()
  onTestFinished(async () => fragile.close())
  const folder = { PARLEY_DATA_DIR: await createFolder(FILES_FOR_TWO_STOPS), ...fragile.login }
  const before = await readSums(folder)
  const stop = new AbortController()
  const there = fileStore(readConfig({ ...folder, ...fragile.environment() }))
  onTestFinished(() => there.close())
  const stopped = runHere(['files', 'move', fragile.address()], folder, { stopped: stop.signal })
  const count = async (): Promise<number> => {
    let files = 0
    for await (const _ of there.list()) files += 1
    return files
  }
  await expect.poll(count, POLL_CONSTANTLY).toBeGreaterThan(2)
  stop.abort()
  const { code, stderr } = await stopped
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. Copied files stay')])
  const first = await count()
  expect(first).toBeLessThan(FILES_FOR_TWO_STOPS)
  expect(await readdir(join(folder.PARLEY_DATA_DIR, 'files/incoming'))).toEqual([])

  const broken = runHere(['files', 'move', fragile.address()], folder)
  await expect.poll(count, POLL_CONSTANTLY).toBeGreaterThan(first + 2)
  await fragile.kill()
  expect(await broken).toMatchObject({ code: 1, stderr: textWith(' is unavailable: ') })
  await fragile.begin()
  const second = await count()
  expect(await moveFiles([fragile.address()], folder)).toMatchObject({
    files: FILES_FOR_TWO_STOPS,
    there_already: second,
    copied: FILES_FOR_TWO_STOPS - second,
  })
  expect(await readSums({ ...folder, ...fragile.environment() })).toEqual(before)
})
