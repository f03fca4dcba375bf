import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  backupOfDamaged,
  createEmptyDatabase,
  environmentOf,
  newBackup,
  newFolder,
  rewriteManifest,
} from '../testing/backups.ts'
import { signIn, TestBrowser } from '../testing/browser.ts'
import { runHere, type Environment } from '../testing/command-line.ts'
import { askDatabase, databaseUrl, type TestDatabase } from '../testing/databases.ts'
import { fetchAs, upload } from '../testing/files.ts'
import { useProgram } from '../testing/program.ts'
import { startTestServerOn, useTestServer } from '../testing/server.ts'
import { TestUser } from '../testing/user.ts'

const server = useTestServer()
const program = useProgram()

async function createEmptyTarget(): Promise<{
  database: TestDatabase
  environment: Environment & { PARLEY_DATA_DIR: string }
}> {
  const [database, parent] = [await createEmptyDatabase(), await newFolder()]
  return { database, environment: { DATABASE_URL: databaseUrl(database), PARLEY_DATA_DIR: join(parent, 'data') } }
}

it('restores into an empty database and keeps or ends sessions as requested', async () => {
  const { owner, host } = await server().organization()
  const { cookie } = await signIn(owner)
  const address = await upload(owner, 'kept.txt', 'of the file')
  const message = await owner.sendTo([owner.id], 'Kept')
  const queue = await owner.register({ event_types: ['message'] })
  const folder = join(await newFolder(), 'backup')
  expect(await runHere(['backup', folder], environmentOf(server()))).toMatchObject({ code: 0 })
  const lost = await owner.sendTo([owner.id], 'Lost')
  for (const [options, status] of [
    [[], 200],
    [['--end-sessions'], 401],
  ] as const) {
    const { database, environment } = await createEmptyTarget()
    expect(await runHere(['restore', folder, ...options], environment)).toMatchObject({ code: 0 })
    const restored = await startTestServerOn(database, environment)
    try {
      const there = new TestUser(restored.parley.url, host, owner.email, owner.apiKey, owner.id)
      const { messages } = await there.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
      expect(messages).toMatchObject([{ id: message, content: '<p>Kept</p>' }])
      const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
      expect((await there.try('GET', '/events', poll)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
      expect(await there.sendTo([owner.id], 'Next')).toBeGreaterThan(lost)
      expect(String((await fetchAs(there, address)).bytes)).toBe('of the file')
      expect((await new TestBrowser(there, cookie).try('GET', '/users/me')).status).toBe(status)
    } finally {
      await restored.close()
    }
  }
})

it('restores each acknowledged message once and reuses no ID', async () => {
  const { owner, host } = await server().organization()
  const sent = new Map<number, string>()
  const silence = new AbortController()
  const load = Promise.all(
    ['Ada', 'Bob', 'Mia'].map(async (sender) => {
      for (let count = 0; !silence.signal.aborted; count += 1) {
        const content = `${sender} ${count}`
        sent.set(await owner.sendTo([owner.id], content), content)
      }
    }),
  )
  await expect.poll(() => sent.size).toBeGreaterThan(20)
  const before = [...sent.keys()]
  const folder = join(await newFolder(), 'backup')
  expect(await runHere(['backup', folder], environmentOf(server()))).toMatchObject({ code: 0 })
  const during = sent.size
  expect(during).toBeGreaterThan(before.length)
  await expect.poll(() => sent.size).toBeGreaterThan(during + 5)
  silence.abort()
  await load
  const { database, environment } = await createEmptyTarget()
  expect(await runHere(['restore', folder], environment)).toMatchObject({ code: 0 })
  const restored = await startTestServerOn(database, environment)
  try {
    const there = new TestUser(restored.parley.url, host, owner.email, owner.apiKey, owner.id)
    const all = { anchor: 'newest', num_before: 5_000, num_after: 0, apply_markdown: false }
    const { messages: history } = await there.call('GET', '/messages', all)
    const ids = new Set(history.map(({ id }) => id))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    expect(ids.size).toBe(history.length)
    expect(history.filter(({ id, content }) => sent.get(id) !== content)).toEqual([])
    expect(await there.sendTo([owner.id], 'After the restore')).toBeGreaterThan(Math.max(...sent.keys()))
  } finally {
    await restored.close()
  }
})

it('refuses to run any command after a restore was killed', async () => {
  const { folder, parent } = await newBackup(server())
  const { environment } = await createEmptyTarget()
  const killed = await (await program(environment)).interrupt(['restore', folder], 'Restoring the rows', 'SIGKILL')
  expect(killed.code).toBe(null)
  for (const args of [['start'], ['organization', 'list'], ['restore', folder], ['backup', join(parent, 'none')]]) {
    const { code, stderr } = await runHere(args, environment)
    expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('A backup is being restored into')])
  }
})

it('rejects a backup with missing tables or rows, or with contradictory rows', async () => {
  const { folder, parent } = await newBackup(server())
  const short = join(parent, 'short')
  await cp(folder, short, { recursive: true })
  await rewriteManifest(short, ({ tables, ...rest }) => ({
    ...rest,
    tables: tables.map((table) => ({ ...table, rows: table.rows + 1 })),
  }))
  await rewriteManifest(folder, ({ tables, ...rest }) => ({
    ...rest,
    tables: tables.filter(({ name }) => name !== 'messages'),
  }))
  const damaged = await backupOfDamaged(server(), 'delete from users')
  const { database, environment } = await createEmptyTarget()
  for (const [from, fault] of [
    [folder, 'messages'],
    [short, 'but the manifest says'],
    [damaged, 'foreign key constraint'],
  ] as const) {
    const { code, stderr } = await runHere(['restore', from], environment)
    expect([code, stderr]).toEqual([3, expect.stringContaining('The backup is damaged.')])
    expect(stderr).toContain(fault)
    expect(await readdir(environment.PARLEY_DATA_DIR)).toEqual([])
    expect(await askDatabase(database, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  }
})

it('refuses to restore to a non-empty target, or from a backup that is damaged or of a newer version', async () => {
  const { folder, parent } = await newBackup(server())
  const used = join(parent, 'used')
  await mkdir(used)
  await writeFile(join(used, 'token-key'), 'mine')
  const database = await createEmptyDatabase()
  const data = join(parent, 'data')
  const environment = { DATABASE_URL: databaseUrl(database), PARLEY_DATA_DIR: data }
  const restoreError = async (from: string, told: Record<string, string>): Promise<[number | null, string]> => {
    const { code, stderr } = await runHere(['restore', from], { ...environment, ...told })
    return [code, stderr.trim().split('\n').at(-1) ?? '']
  }
  expect(await restoreError(folder, { PARLEY_DATA_DIR: used })).toEqual([
    1,
    expect.stringContaining('is not empty: it contains token-key'),
  ])
  expect(await readdir(used)).toEqual(['token-key'])
  const file = join(used, 'token-key')
  for (const [path, reason] of [
    [file, 'is a file'],
    [join(file, 'data'), 'would be inside a file'],
  ] as const) {
    const refused = `parley: The data folder ${path} ${reason}. Choose another folder with PARLEY_DATA_DIR.`
    expect(await restoreError(folder, { PARLEY_DATA_DIR: path })).toEqual([1, refused])
  }
  expect(await restoreError(file, {})).toEqual([1, `parley: ${file} is not a folder.`])
  expect(await restoreError(folder, { DATABASE_URL: databaseUrl(server().database) })).toEqual([
    1,
    expect.stringContaining('the database is not empty'),
  ])
  const [format, made, broken] = ['format', 'made', 'broken'].map((name) => join(parent, name))
  for (const copy of [format, made, broken]) await cp(folder, copy ?? '', { recursive: true })
  await rewriteManifest(format ?? '', (manifest) => ({ ...manifest, format: 2, parley: '9.9.9' }))
  expect(await restoreError(format ?? '', {})).toEqual([1, expect.stringContaining('Parley 9.9.9 in format 2')])
  await rewriteManifest(made ?? '', (manifest) => ({
    ...manifest,
    parley: '9.9.9',
    migrations: [...manifest.migrations, '2031-01-01-later'],
  }))
  expect(await restoreError(made ?? '', {})).toEqual([
    1,
    expect.stringContaining('was made by Parley 9.9.9, which is newer'),
  ])
  const path = join(broken ?? '', 'database/messages.copy.gz')
  const bytes = await readFile(path)
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, bytes)
  expect(await restoreError(broken ?? '', {})).toEqual([3, expect.stringContaining('The backup is damaged.')])
  const nowhere = join(parent, 'nowhere')
  expect(await restoreError(nowhere, {})).toEqual([1, `parley: The folder ${nowhere} does not exist.`])
  expect(await readdir(data)).toEqual([])
  expect(await askDatabase(database, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  expect(await runHere(['restore', folder], environment)).toMatchObject({ code: 0 })
  expect(await restoreError(folder, {})).toEqual([1, expect.stringContaining('is not empty')])
})
