import { hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { fileStore } from '../server-from-config.ts'
import {
  OWNER_ENVIRONMENT,
  useCommandLine,
  type CommandLine,
  type Environment,
  type CommandRun,
} from '../testing/command-line.ts'
import { createDatabase, databaseUrl } from '../testing/databases.ts'
import { findingsIn } from '../testing/doctor.ts'
import { fetchAs, PIXEL, sendFiles, upload } from '../testing/files.ts'
import { parseObject } from '../testing/json.ts'
import { useProgram } from '../testing/program.ts'
import { S3Server } from '../testing/s3-server.ts'
import { TestUser } from '../testing/user.ts'

const commandLine = useCommandLine()
const program = useProgram()

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => storage.close())

async function fetchOwner(parley: CommandLine, server: CommandRun, environment: Environment): Promise<TestUser> {
  const { stdout } = await parley.run(['user', 'api-key', 'owner@localhost'], { environment })
  return server.user('owner@localhost', stdout.trim())
}

async function filesIn(environment: Environment): Promise<Map<string, string>> {
  const store = fileStore(readConfig(environment))
  const found = new Map<string, string>()
  for await (const { key } of store.list()) {
    found.set(key, hash('sha256', await buffer(store.read(key))))
  }
  store.close()
  return found
}

async function createEmptyDatabase(): Promise<Environment> {
  return { DATABASE_URL: databaseUrl(await createDatabase({ template: 'template1' })) }
}

it('backs up, restores, moves, and prunes an organization with files in a bucket', async () => {
  const parley = await commandLine()
  const environment = { ...OWNER_ENVIRONMENT, ...storage.environment('one'), PARLEY_ROOT_DOMAIN: 'parley.localhost' }
  const server = await parley.stay('start', environment)
  const run = async (args: readonly string[], more: Environment = {}): Promise<string> => {
    const { code, stdout, stderr } = await parley.run(args, { environment: { ...environment, ...more } })
    expect([args, code, stderr]).toEqual([args, 0, expect.anything()])
    return stdout
  }
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'], { environment })
  const owner = new TestUser(
    `http://127.0.0.1:${new URL(server.url).port}`,
    'parley.localhost',
    'owner@localhost',
    key.trim(),
    0,
  )
  const address = await upload(owner, 'words.txt', 'many words')
  const picture = await upload(owner, 'pixel.png', PIXEL)
  await sendFiles(owner, '/users/me/avatar', [{ name: 'a.png', content: PIXEL, type: 'image/png' }])
  await sendFiles(owner, '/realm/emoji/dot', [{ name: 'a.png', content: PIXEL, type: 'image/png' }])
  await owner.send('general', 'hello', `[words](${address})`)
  const kept = await filesIn(environment)
  expect(kept.size).toBeGreaterThanOrEqual(5)
  const data = parley.settings['PARLEY_DATA_DIR'] ?? ''
  // Incoming files are deleted after the response.
  await expect.poll(async () => readdir(join(data, 'files'), { recursive: true })).toEqual(['incoming'])

  // Unreferenced files are deleted only after a day.
  const store = fileStore(readConfig(environment))
  await store.write('uploads/1/ab/orphan', Buffer.from('abc'))
  store.close()
  expect(JSON.parse(await run(['prune', '--json']))).toMatchObject({ pruned: [{}, { what: 'files', count: 0 }, {}] })
  const doctor = await parley.run(['doctor', '--json'], { environment })
  expect(
    findingsIn(doctor.stdout)
      .filter(({ check }) => check === 'files')
      .map(({ message }) => message)
      .toSorted(),
  ).toEqual(['OK: 2 of the latest are present.', 'OK: the store is reachable.'])

  const backups = join(parley.directory, 'backups')
  const first = parseObject(await run(['backup', join(backups, 'one'), '--json']))
  const second = parseObject(await run(['backup', join(backups, 'two'), '--json']))
  expect(first['linked_files']).toBe(0)
  expect(second['linked_files']).toBe(kept.size + 1)
  await run(['verify', join(backups, 'two')])
  await run(['export', join(parley.directory, 'archive')])
  await run(['import', 'parley', join(parley.directory, 'archive'), '--organization', 'north'])
  const moved = [...(await filesIn(environment)).values()]
  for (const sum of kept.values()) expect(moved.filter((one) => one === sum).length).toBeGreaterThanOrEqual(2)
  await run(['organization', 'delete', '--organization', 'north', '--yes', 'My organization'])
  const left = await filesIn(environment)
  expect(left.size).toBe(kept.size + 1)
  await server.stop()

  const elsewhere = { PARLEY_DATA_DIR: join(parley.directory, 'elsewhere') }
  const refused = await parley.run(['restore', join(backups, 'two')], { environment: { ...environment, ...elsewhere } })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('PARLEY_FILES is not empty: it contains '),
  ])
  expect(await filesIn(environment)).toEqual(left)
  const other = { ...elsewhere, ...(await createEmptyDatabase()), PARLEY_FILES: storage.address('two') }
  await run(['restore', join(backups, 'two')], other)
  expect(await filesIn({ ...environment, ...other })).toEqual(left)
  const folder = {
    ...(await createEmptyDatabase()),
    PARLEY_DATA_DIR: join(parley.directory, 'folder'),
    PARLEY_FILES: '',
  }
  await run(['restore', join(backups, 'two')], folder)
  expect(await filesIn({ ...environment, ...folder })).toEqual(left)
  const restored = await parley.stay('start', { ...environment, ...other })
  const there = new TestUser(
    `http://127.0.0.1:${new URL(restored.url).port}`,
    'parley.localhost',
    owner.email,
    owner.apiKey,
    0,
  )
  expect(String((await fetchAs(there, address)).bytes)).toBe('many words')
  expect((await fetchAs(there, picture)).bytes.equals(PIXEL)).toBe(true)
  await restored.stop()
})

it('reports storage problems in the doctor command', async () => {
  const parley = await commandLine()
  const environment = { ...OWNER_ENVIRONMENT, ...storage.environment('doctor') }
  const server = await parley.stay('start', environment)
  await upload(await fetchOwner(parley, server, environment), 'words.txt', 'many words')
  await server.stop()
  const real = await program(parley.settings)
  for (const [wrong, sentence] of [
    [{ AWS_SECRET_ACCESS_KEY: 'swordfish' }, 'rejects AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    [{ PARLEY_FILES: storage.address('chat', 'elsewhere') }, 'the bucket elsewhere at '],
    [{ PARLEY_FILES: 's3://chat?endpoint=http://127.0.0.1:1' }, 'is unavailable: connect ECONNREFUSED 127.0.0.1:1.'],
  ] as const) {
    const { code, stdout, stderr } = await real.run(['doctor', '--json'], {
      environment: { ...environment, ...wrong },
    })
    const found = findingsIn(stdout).filter(({ check, state }) => check === 'files' && state !== 'ok')
    expect([code, found]).toMatchObject([1, [{ state: 'wrong', trouble: 'file_store_away', value: null }]])
    expect(found[0]?.message).toContain(sentence)
    expect(stdout).not.toMatch(/swordfish|open secret/)
    expect(stderr).toMatch(/^parley: \d+ problems? found\.\n$/)
  }
  for (const [wrong, place] of [
    [{ PARLEY_FILES: storage.address('other') }, `the bucket parley-test at ${storage.endpoint}, under other/`],
    [{ PARLEY_FILES: '' }, join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'files')],
  ] as const) {
    const { code, stdout } = await parley.run(['doctor'], { environment: { ...environment, ...wrong } })
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`None of the latest uploaded files are in ${place} (1 checked).`),
    ])
  }
})
