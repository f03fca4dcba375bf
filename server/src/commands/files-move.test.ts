import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { fileStore } from '../facts.ts'
import { OWNED, runHere, useCommandLine } from '../testing/command-line.ts'
import { expectDocumented } from '../testing/documented.ts'
import { fetchAs, upload } from '../testing/files.ts'
import { S3Server } from '../testing/s3-server.ts'
import type { Body } from '../testing/user.ts'

const commandLine = useCommandLine()

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => storage.close())

/** A data folder with so many files. */
async function folderWith(count: number): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'parley-move-'))
  onTestFinished(async () => rm(data, { recursive: true, force: true }))
  for (let index = 0; index < count; index += 1) {
    const path = join(data, 'files', `uploads/${1 + (index % 3)}/ab/file-${String(index).padStart(3, '0')}`)
    await mkdir(dirname(path), { recursive: true })
    // One has nothing in it, and one goes in parts.
    await writeFile(path, randomBytes(index === 0 ? 0 : index === 1 ? 20_000_000 : 1_000 + index))
  }
  return data
}

/** The checksums of all files of a store, by their keys. */
async function sumsIn(environment: Record<string, string>): Promise<Record<string, string>> {
  const store = fileStore(readConfig(environment))
  const sums: Record<string, string> = {}
  for await (const { key } of store.list()) {
    const hash = createHash('sha256')
    for await (const chunk of store.read(key)) hash.update(chunk as Buffer)
    sums[key] = hash.digest('hex')
  }
  store.close()
  return sums
}

async function moved(args: readonly string[], environment: Record<string, string>): Promise<Body> {
  const { code, stdout, stderr } = await runHere(['files', 'move', ...args, '--json'], environment)
  expect([code, stderr.replace('Copying files …\n', '')]).toEqual([0, ''])
  return JSON.parse(stdout) as Body
}

describe('files', () => {
  it('are moved into a bucket, into another, and back: none of them differs', async () => {
    const data = await folderWith(60)
    const folder = { PARLEY_DATA_DIR: data, ...storage.login }
    const [one, two] = [storage.address('back/one'), storage.address('back/two')]
    const before = await sumsIn(folder)
    expect(Object.keys(before)).toHaveLength(60)

    const dry = await moved([one, '--dry-run'], folder)
    expectDocumented('files move', dry)
    expect(dry).toMatchObject({ dry_run: true, files: 60, copied: 60, there_already: 0, differing: 0, removed: 0 })
    expect(await sumsIn({ ...folder, PARLEY_FILES: one })).toEqual({})
    expect(await moved([one], folder)).toMatchObject({
      files: 60,
      copied: 60,
      copied_bytes: dry['bytes'],
      differing: 0,
    })
    expect(await sumsIn({ ...folder, PARLEY_FILES: one })).toEqual(before)
    expect(await moved([one], folder)).toMatchObject({ copied: 0, there_already: 60, differing: 0 })
    expect(await moved([two, '--from', one], folder)).toMatchObject({ copied: 60, differing: 0 })

    // Only from where no server looks any more.
    const early = await runHere(['files', 'move', two, '--remove'], folder)
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('--remove is possible once they run with')])
    expect(await sumsIn(folder)).toEqual(before)
    const inTwo = { ...folder, PARLEY_FILES: two }
    expect(await moved([two, '--from', 'folder', '--remove', '--dry-run'], inTwo)).toMatchObject({ removed: 0 })
    expect(await moved([two, '--from', 'folder', '--remove'], inTwo)).toMatchObject({ removed: 60, differing: 0 })
    expect(await sumsIn(folder)).toEqual({})
    expect(await sumsIn(inTwo)).toEqual(before)

    expect(await moved(['folder'], inTwo)).toMatchObject({ copied: 60, differing: 0 })
    expect(await sumsIn(folder)).toEqual(before)
    expect(await moved(['folder', '--from', two, '--verify'], folder)).toMatchObject({
      there_already: 60,
      differing: 0,
    })
    expect(await readdir(join(data, 'files/incoming'))).toEqual([])
    const { stdout } = await runHere(['files', 'move', 'folder', '--from', one, '--verify'], folder)
    expect(stdout).toMatch(/^From s3:\/\/parley-test\/back\/one\/ to \/.*, in [\d.]+ s:\n {2}60 files, /)
    expect(stdout).toContain('0 files, 0 B were copied; 60 were there already\n  0 of 60 differ\n')
  })

  it('that differ are found, said and never removed', async () => {
    const data = await folderWith(4)
    const environment = { PARLEY_DATA_DIR: data, ...storage.environment('differ') }
    await moved([storage.address('differ'), '--from', 'folder'], environment)
    const path = join(data, 'files/uploads/3/ab/file-002')
    const bytes = await readFile(path)
    await writeFile(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from([~(bytes.at(-1) ?? 0) & 0xff])]))
    const { code, stdout, stderr } = await runHere(
      ['files', 'move', storage.address('differ'), '--from', 'folder', '--remove', '--json'],
      environment,
    )
    expect(JSON.parse(stdout)).toMatchObject({ files: 4, there_already: 4, differing: 1, removed: 3 })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('1 file differs from what was copied: uploads/3/ab/file-002.'),
    ])
    expect(Object.keys(await sumsIn({ PARLEY_DATA_DIR: data }))).toEqual(['uploads/3/ab/file-002'])
  })

  it('go on being moved where that was stopped, or where the storage went away', async () => {
    const fragile = await S3Server.start()
    onTestFinished(async () => fragile.close())
    const folder = { PARLEY_DATA_DIR: await folderWith(200), ...fragile.login }
    const before = await sumsIn(folder)
    const stop = new AbortController()
    const there = fileStore(readConfig({ ...folder, ...fragile.environment() }))
    onTestFinished(() => there.close())
    const stopped = runHere(['files', 'move', fragile.address()], folder, { stopped: stop.signal })
    const count = async (): Promise<number> => {
      let files = 0
      for await (const _ of there.list()) files += 1
      return files
    }
    await expect.poll(count).toBeGreaterThan(5)
    stop.abort()
    const { code, stderr } = await stopped
    expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. What was copied stays')])
    const first = await count()
    expect(first).toBeLessThan(200)
    expect(await readdir(join(folder.PARLEY_DATA_DIR, 'files/incoming'))).toEqual([])

    const broken = runHere(['files', 'move', fragile.address()], folder)
    await expect.poll(count).toBeGreaterThan(first + 5)
    await fragile.kill()
    expect(await broken).toMatchObject({ code: 1, stderr: expect.stringContaining(' is away: ') as string })
    await fragile.begin()
    const second = await count()
    expect(await moved([fragile.address()], folder)).toMatchObject({
      files: 200,
      there_already: second,
      copied: 200 - second,
    })
    expect(await sumsIn({ ...folder, ...fragile.environment() })).toEqual(before)
  })

  it('are moved while a server runs, which then has them all at the other place', async () => {
    const parley = await commandLine()
    const bucket = storage.environment('running')
    const key = {
      AWS_ACCESS_KEY_ID: bucket['AWS_ACCESS_KEY_ID'] ?? '',
      AWS_SECRET_ACCESS_KEY: bucket['AWS_SECRET_ACCESS_KEY'] ?? '',
    }
    const server = await parley.stay('start', OWNED)
    const { stdout: apiKey } = await parley.run(['user', 'api-key', 'owner@localhost'])
    const owner = server.user('owner@localhost', apiKey.trim())
    const first = await upload(owner, 'first.txt', 'first')
    const move = async (args: readonly string[], environment: Record<string, string>): Promise<Body> => {
      const outcome = await parley.run(['files', 'move', ...args, '--json'], { environment })
      expect([outcome.code, outcome.stderr]).toEqual([0, expect.anything()])
      return JSON.parse(outcome.stdout) as Body
    }
    expect(await move([storage.address('running')], key)).toMatchObject({ files: 1, copied: 1 })
    const second = await upload(owner, 'second.txt', 'second')
    // A command with other settings than the server that runs would miss its files.
    for (const args of [
      ['prune'],
      ['backup', join(parley.directory, 'backup')],
      ['files', 'move', storage.address('running'), '--from', 'folder', '--remove'],
    ]) {
      const refused = await parley.run(args, { environment: bucket })
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^parley: The server has its files in the data folder, and PARLEY_FILES says the bucket parley-test at .*, under running\/ here\./m,
        ),
      ])
    }
    await server.stop()
    expect(await move([storage.address('running'), '--from', 'folder'], bucket)).toMatchObject({
      there_already: 1,
      copied: 1,
    })
    const again = await parley.stay('start', { ...OWNED, ...bucket })
    const there = again.user('owner@localhost', apiKey.trim())
    expect(await move([storage.address('running'), '--from', 'folder', '--remove'], bucket)).toMatchObject({
      removed: 2,
    })
    for (const [address, text] of [
      [first, 'first'],
      [second, 'second'],
    ] as const)
      expect(String((await fetchAs(there, address)).bytes)).toBe(text)
    await again.stop()
  })
})

it.each([
  [['s3://'], 2, 'TO must be an address like s3://'],
  [['elsewhere'], 2, 'TO must be an address like s3://'],
  [['s3://b'], 2, 'TO must name a bucket by 3 to 63 lowercase letters, '],
  [['folder'], 2, 'FROM and TO are the same store.'],
  [['s3://chat-files', '--from', 'A'], 2, 'FROM must be an address like s3://'],
  [['s3://key:secret@files'], 2, 'TO must not hold credentials'],
  [['s3://chat-files'], 1, 'AWS_ACCESS_KEY_ID: must be set where files lie in a bucket'],
  [['s3://chat-files', '--remove'], 1, '--remove is possible once they run with PARLEY_FILES for TO'],
] as const)('refuses %j and says why', async (args, exit, sentence) => {
  const { code, stdout, stderr } = await runHere(['files', 'move', ...args], { PARLEY_DATA_DIR: await folderWith(1) })
  expect([code, stdout]).toEqual([exit, ''])
  expect(stderr).toContain(sentence)
})

it('says what is wrong with a store before anything is copied', async () => {
  const data = await folderWith(2)
  for (const [wrong, address, sentence] of [
    [{ AWS_SECRET_ACCESS_KEY: 'swordfish' }, storage.address(), 'does not take AWS_ACCESS_KEY_ID'],
    [{}, storage.address('chat', 'elsewhere'), 'Files cannot be moved: the bucket elsewhere at '],
    [{}, 's3://chat?endpoint=http://127.0.0.1:1', 'is away: connect ECONNREFUSED'],
  ] as const) {
    const { code, stderr } = await runHere(['files', 'move', address], {
      PARLEY_DATA_DIR: data,
      ...storage.login,
      ...wrong,
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(stderr).not.toMatch(/swordfish|open secret/)
  }
  expect(await stat(join(data, 'files/incoming')).catch(() => undefined)).toBeUndefined()
  const nowhere = await runHere(['files', 'move', storage.address()], {
    PARLEY_DATA_DIR: join(data, 'none'),
    ...storage.login,
  })
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('There is no data folder ')])
})
