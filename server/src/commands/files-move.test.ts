import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, runHere, useCommandLine } from '../testing/command-line.ts'
import { fetchAs, upload } from '../testing/files.ts'
import { parseObject } from '../testing/json.ts'
import { createFolder, moveFiles, readSums } from '../testing/moved-files.ts'
import { S3Server } from '../testing/s3-server.ts'
import type { Body } from '../testing/user.ts'

const commandLine = useCommandLine()

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => storage.close())

describe('parley files move', () => {
  it('reports files whose copy at the target differs, and keeps these files at the source', async () => {
    const data = await createFolder(4)
    const environment = { PARLEY_DATA_DIR: data, ...storage.environment('differ') }
    await moveFiles([storage.address('differ'), '--from', 'folder'], environment)
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
      expect.stringContaining('1 copy differs from the source: uploads/3/ab/file-002.'),
    ])
    expect(Object.keys(await readSums({ PARLEY_DATA_DIR: data }))).toEqual(['uploads/3/ab/file-002'])
  })

  it('moves files while a server runs, and serves all files from the new store', async () => {
    const parley = await commandLine()
    const bucket = storage.environment('running')
    const key = {
      AWS_ACCESS_KEY_ID: bucket['AWS_ACCESS_KEY_ID'] ?? '',
      AWS_SECRET_ACCESS_KEY: bucket['AWS_SECRET_ACCESS_KEY'] ?? '',
    }
    const server = await parley.stay('start', OWNER_ENVIRONMENT)
    const { stdout: apiKey } = await parley.run(['user', 'api-key', 'owner@localhost'])
    const owner = server.user('owner@localhost', apiKey.trim())
    const first = await upload(owner, 'first.txt', 'first')
    const move = async (args: readonly string[], environment: Record<string, string>): Promise<Body> => {
      const outcome = await parley.run(['files', 'move', ...args, '--json'], { environment })
      expect([outcome.code, outcome.stderr]).toEqual([0, expect.anything()])
      return parseObject(outcome.stdout)
    }
    expect(await move([storage.address('running')], key)).toMatchObject({ files: 1, copied: 1 })
    const second = await upload(owner, 'second.txt', 'second')
    // A command with settings that differ from the running server's would miss its files.
    for (const args of [
      ['prune'],
      ['backup', join(parley.directory, 'backup')],
      ['files', 'move', storage.address('running'), '--from', 'folder', '--remove'],
    ]) {
      const refused = await parley.run(args, { environment: bucket })
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^parley: The server stores files in the data folder, but PARLEY_FILES is the bucket parley-test at .*, under running\/ here\./m,
        ),
      ])
    }
    await server.stop()
    expect(await move([storage.address('running'), '--from', 'folder'], bucket)).toMatchObject({
      there_already: 1,
      copied: 1,
    })
    const again = await parley.stay('start', { ...OWNER_ENVIRONMENT, ...bucket })
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
  [['s3://b'], 2, 'TO must have a bucket name of 3 to 63 lowercase letters, '],
  [['folder'], 2, 'FROM and TO are the same store.'],
  [['s3://chat-files', '--from', 'A'], 2, 'FROM must be an address like s3://'],
  [['s3://key:secret@files'], 2, 'TO must not contain credentials'],
  [['s3://chat-files'], 1, 'AWS_ACCESS_KEY_ID: is required for files in a bucket'],
  [['s3://chat-files', '--remove'], 1, 'To use --remove, set PARLEY_FILES to TO'],
] as const)('rejects the arguments %j and explains why', async (args, exit, sentence) => {
  const { code, stdout, stderr } = await runHere(['files', 'move', ...args], { PARLEY_DATA_DIR: await createFolder(1) })
  expect([code, stdout]).toEqual([exit, ''])
  expect(stderr).toContain(sentence)
})

it('reports an unusable store before copying', async () => {
  const data = await createFolder(2)
  for (const [wrong, address, sentence] of [
    [{ AWS_SECRET_ACCESS_KEY: 'swordfish' }, storage.address(), 'rejects AWS_ACCESS_KEY_ID'],
    [{}, storage.address('chat', 'elsewhere'), 'Cannot move files: the bucket elsewhere at '],
    [{}, 's3://chat?endpoint=http://127.0.0.1:1', 'is unavailable: connect ECONNREFUSED'],
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
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('Cannot read the data folder ')])
})
