import { randomUUID } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { keyOf } from '../capabilities/uploads/queries.ts'
import { digestOf, type Manifest } from '../platform/backup/manifest.ts'
import { signIn, TestBrowser } from '../testing/browser.ts'
import { runHere, type Outcome } from '../testing/command-line.ts'
import { fetchAs, upload } from '../testing/files.ts'
import { Random } from '../testing/random.ts'
import { startTestServerOn, useTestServer, type TestServer } from '../testing/server.ts'
import { TestUser } from '../testing/user.ts'

// Each of the databases that are started aside takes seconds where the machine has much else to do.
vi.setConfig({ testTimeout: 240_000 })

const server = useTestServer()
const undone: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const undo of undone.splice(0)) await undo()
})

function urlOf({ host, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  undone.push(async () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What the commands are told of a server's database and files. */
function environmentOf({ database }: Pick<TestServer, 'database'>): Record<string, string> {
  return { DATABASE_URL: urlOf(database), PARLEY_DATA_DIR: join(tmpdir(), `parley-${database.database ?? ''}`) }
}

async function query(database: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** A new empty database that belongs to an account with no rights beside it. */
async function emptyDatabase(): Promise<pg.ClientConfig> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  await query(inject('postgres'), `create role ${name} login`)
  await query(inject('postgres'), `create database ${name} owner ${name}`)
  undone.push(async () => {
    await query(inject('postgres'), `drop database ${name} with (force)`)
    await query(inject('postgres'), `drop role ${name}`)
  })
  return { ...inject('postgres'), user: name, database: name }
}

/** A backup of the server, with a message, a file and a key in it. */
async function newBackup(): Promise<{ folder: string; content: string; parent: string }> {
  const { owner } = await server().organization()
  const content = `Keep this ${randomUUID()}`
  await owner.sendTo([owner.id], content)
  await upload(owner, 'kept.txt', 'of the file')
  const { PARLEY_DATA_DIR: data = '' } = environmentOf(server())
  await writeFile(join(data, 'token-key'), Buffer.alloc(32, 7))
  const parent = await newFolder()
  const folder = join(parent, 'backup')
  expect(await runHere(['backup', folder], environmentOf(server()))).toMatchObject({ code: 0 })
  return { folder, content, parent }
}

const verified = async (folder: string, ...options: string[]): Promise<Outcome> =>
  runHere(['verify', folder, ...options], {})

/** Rewrites the manifest of a backup as nobody should, with the checksum that belongs to it. */
async function rewriteManifest(folder: string, change: (manifest: Manifest) => object): Promise<void> {
  const path = join(folder, 'manifest.json')
  const text = JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as Manifest))
  await writeFile(path, text)
  await writeFile(`${path}.sha256`, `${digestOf(text)}  manifest.json\n`)
}

it('backs up through DATABASE_URL, says what is in it, and lets nobody else read it', async () => {
  const { folder, parent } = await newBackup()
  const { stdout, code } = await verified(folder, '--json')
  expect(code).toBe(0)
  const [{ position } = { position: 0 }] = (await query(
    server().database,
    'select max(position)::int as position from organizations',
  )) as { position: number }[]
  const facts = JSON.parse(stdout) as Manifest & { faults: unknown }
  expect(facts.faults).toEqual([])
  expect(Math.max(...facts.organizations.map((organization) => organization.position))).toBe(position)
  expect(await readdir(parent)).toEqual(['backup'])
  for (const name of [...(await readdir(folder, { recursive: true })), '.']) {
    const { mode } = await stat(join(folder, name))
    expect([name, mode & 0o077]).toEqual([name, 0])
  }
  // Every table is there, whoever made it.
  const tables = (await query(
    server().database,
    `select count(*)::int as count from pg_tables where schemaname = 'public'`,
  )) as { count: number }[]
  expect(await readdir(join(folder, 'database'))).toHaveLength(tables[0]?.count ?? 0)
})

it('is read by sha256sum', async () => {
  const { folder } = await newBackup()
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
  const paths = lines.map((line) => /^[\da-f]{64} {2}(\S+)$/.exec(line)?.[1])
  expect(paths).toContain('data/token-key')
  expect(paths).toContain('database/messages.copy.gz')
  expect(paths.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual(paths)
})

it('refuses to write over anything, and to lie in the data folder', async () => {
  const { folder, parent } = await newBackup()
  const environment = environmentOf(server())
  for (const [target, complaint] of [
    [folder, 'exists already'],
    [parent, 'exists already'],
    [join(environment['PARLEY_DATA_DIR'] ?? '', 'backup'), 'lies in the data folder'],
    [environment['PARLEY_DATA_DIR'] ?? '', 'lies in the data folder'],
  ] as const) {
    const { code, stdout, stderr } = await runHere(['backup', target], environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(complaint)
  }
  expect(await readdir(parent)).toEqual(['backup'])
})

it.runIf(process.platform === 'linux')('says why a folder cannot be made where Node would try for ever', async () => {
  const environment = environmentOf(server())
  await mkdir(environment['PARLEY_DATA_DIR'] ?? '', { recursive: true })
  const { code, stdout, stderr } = await runHere(['backup', '/proc/parley/backup'], environment)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe("parley: ENOENT: no such file or directory, mkdir '/proc/parley'\n")
})

it('shares unchanged files with the backup before, and copies what is new', async () => {
  const { folder, parent } = await newBackup()
  const { owner } = await server().organization()
  await upload(owner, 'new.txt', 'new')
  const next = join(parent, 'next')
  const { stdout } = await runHere(['backup', next, '--json'], environmentOf(server()))
  const facts = JSON.parse(stdout) as { files: number; linked_files: number; copied_files: number }
  // The key may change, and is copied each time.
  expect(facts.copied_files).toBe(2)
  expect(facts.linked_files).toBe(facts.files - 2)
  const files = (await readdir(join(folder, 'data/files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    expect((await stat(path.replace(folder, next))).ino).toBe((await stat(path)).ino)
  }
  // Each is whole without the other.
  await rm(folder, { recursive: true })
  expect(await verified(next)).toMatchObject({ code: 0 })
})

it('says of which uploaded files only the names are left, and refuses the folder of somebody else', async () => {
  const { parent } = await newBackup()
  const { owner } = await server().organization()
  await upload(owner, 'lost.txt', 'lost')
  const [{ path } = { path: '' }] = (await query(
    server().database,
    `select path_id as path from attachments order by organization_id desc limit 1`,
  )) as { path: string }[]
  const environment = environmentOf(server())
  const data = environment['PARLEY_DATA_DIR'] ?? ''
  const file = join(data, 'files', keyOf(path))
  const bytes = await readFile(file)
  await rm(file)
  const next = join(parent, 'next')
  expect(await runHere(['backup', next], environment)).toMatchObject({ code: 0 })
  await writeFile(file, bytes)
  const { code, stderr } = await verified(next)
  expect(code).toBe(0)
  expect(stderr).toContain(`1 file that the database names is not there: data/files/${keyOf(path)}`)
  const elsewhere = await newFolder()
  const empty = join(parent, 'empty')
  expect(await runHere(['backup', empty], { ...environment, PARLEY_DATA_DIR: elsewhere })).toMatchObject({ code: 0 })
  expect(await verified(empty)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/None of the \d+ files .* Was PARLEY_DATA_DIR right\?/) as string,
  })
  const absent = { ...environment, PARLEY_DATA_DIR: join(elsewhere, 'absent') }
  expect(await runHere(['backup', join(parent, 'none')], absent)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no data folder') as string,
  })
})

it('leaves nothing behind when it is stopped', async () => {
  const parent = await newFolder()
  const { code, stderr } = await runHere(['backup', join(parent, 'backup')], environmentOf(server()), {
    stopped: AbortSignal.abort(),
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. Nothing was left behind.')])
  expect(await readdir(parent)).toEqual([])
})

it('finds a wrong byte in every kind of file, and what is missing, too much or cut off', async () => {
  const { folder, parent } = await newBackup()
  const random = new Random(1)
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const uploaded = files.find((path) => path.includes('/data/files/uploads/')) ?? ''
  const kinds = ['manifest.json', 'manifest.json.sha256', 'SHA256SUMS', 'data/token-key', 'database/messages.copy.gz']
  let found = 0
  for (const path of [...kinds.map((kind) => join(folder, kind)), uploaded]) {
    const whole = await readFile(path)
    for (const at of [0, whole.length - 1, ...[1, 2, 3].map(() => Math.floor(random.between(0, whole.length - 1)))]) {
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] ?? 0) ^ (1 << Math.floor(random.between(0, 7)))
      await writeFile(path, broken)
      const { code, stderr } = await verified(folder)
      expect({ code, path, at }).toEqual({ code: 3, path, at })
      expect(stderr).toContain('is not whole')
      found += 1
    }
    await writeFile(path, whole.subarray(0, -1))
    expect(await verified(folder)).toMatchObject({ code: 3 })
    await rm(path)
    expect(await verified(folder)).toMatchObject({ code: 3, stderr: expect.stringContaining('is not whole') as string })
    await writeFile(path, whole)
  }
  process.stdout.write(`backup test: ${found} wrong bytes, ${found} found\n`)
  await writeFile(join(folder, 'data/other'), '')
  expect((await verified(folder)).stderr).toContain('data/other does not belong to the backup.')
  await rm(join(folder, 'data/other'))
  expect(await verified(folder)).toMatchObject({ code: 0 })
  await cp(join(folder, 'database'), join(parent, 'no-backup'), { recursive: true })
  expect(await verified(relative('.', join(parent, 'no-backup')))).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${join(parent, 'no-backup')} is no whole backup`) as string,
  })
  const nowhere = join(parent, 'nowhere')
  // A path that is relative is told as what it was taken for.
  expect(await verified(relative('.', nowhere))).toEqual({
    code: 1,
    stdout: '',
    stderr: `parley: There is no folder ${nowhere}.\n`,
  })
  const file = join(folder, 'manifest.json')
  expect(await verified(relative('.', file))).toMatchObject({ code: 1, stderr: `parley: ${file} is no folder.\n` })
})

it('does not take a manifest at its word', async () => {
  const { folder } = await newBackup()
  const whole = await readFile(join(folder, 'manifest.json'), 'utf8')
  const lies: [(manifest: Manifest) => object, string][] = [
    [
      ({ tables, ...rest }) => ({ ...rest, tables: tables.map((table) => ({ ...table, rows: table.rows + 1 })) }),
      'and the manifest says',
    ],
    [
      ({ organizations, ...rest }) => ({
        ...rest,
        organizations: organizations.map((organization) => ({ ...organization, position: 1 })),
      }),
      'and manifest.json says 1.',
    ],
    [(manifest) => ({ ...manifest, files: manifest.files + 1 }), 'files are there, and manifest.json says'],
    [({ tables, ...rest }) => ({ ...rest, tables: tables.filter(({ name }) => name !== 'messages') }), 'messages'],
  ]
  for (const [lie, fault] of lies) {
    await writeFile(join(folder, 'manifest.json'), whole)
    await rewriteManifest(folder, lie)
    const { code, stderr } = await verified(folder)
    expect([code, stderr]).toEqual([3, expect.stringContaining(fault)])
  }
})

it('finds rows that do not belong together, though each checksum is right', async () => {
  const { folder, parent } = await newBackup()
  const database = await emptyDatabase()
  const environment = { DATABASE_URL: urlOf(database), PARLEY_DATA_DIR: join(parent, 'data') }
  expect(await runHere(['restore', folder], environment)).toMatchObject({ code: 0 })
  // Nothing but a fault of the disk or of a person does this.
  const broken = { ...inject('postgres'), database: database.database ?? '' }
  const faults = [
    ['update messages set id = id + 1e15::bigint', /messages are beyond the position of their organization/],
    ['delete from users', /foreign key constraint/],
  ] as const
  for (const [index, [damage, fault]] of faults.entries()) {
    await query(broken, `set session_replication_role = replica; ${damage}`)
    const target = join(parent, `broken${index}`)
    expect(await runHere(['backup', target], environment)).toMatchObject({ code: 0 })
    const { code, stderr } = await verified(target)
    expect([code, stderr]).toEqual([3, expect.stringMatching(fault)])
  }
})

it('restores into an empty database of an account without rights, and keeps or ends the sessions', async () => {
  const { owner, host } = await server().organization()
  const { cookie } = await signIn(owner)
  const address = await upload(owner, 'kept.txt', 'of the file')
  const message = await owner.sendTo([owner.id], 'Kept')
  const queue = await owner.register({ event_types: ['message'] })
  const parent = await newFolder()
  const folder = join(parent, 'backup')
  expect(await runHere(['backup', folder], environmentOf(server()))).toMatchObject({ code: 0 })
  const lost = await owner.sendTo([owner.id], 'Lost')
  for (const [options, status] of [
    [[], 200],
    [['--end-sessions'], 401],
  ] as const) {
    const database = await emptyDatabase()
    const data = join(await newFolder(), 'data')
    const environment = { DATABASE_URL: urlOf(database), PARLEY_DATA_DIR: data }
    expect(await runHere(['restore', folder, ...options], environment)).toMatchObject({ code: 0 })
    const restored = await startTestServerOn(database, { PARLEY_DATA_DIR: data })
    try {
      const there = new TestUser(restored.parley.url, host, owner.email, owner.apiKey, owner.id)
      const { messages } = await there.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
      expect(messages).toMatchObject([{ id: message, content: '<p>Kept</p>' }])
      const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
      expect((await there.try('GET', '/events', poll)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
      expect(await there.sendTo([owner.id], 'Next')).toBeGreaterThan(lost)
      expect(String((await fetchAs(there, address)).bytes)).toBe('of the file')
      expect((await new TestBrowser(there, cookie).try('GET', '/users/me')).status).toBe(status)
      // A second backup of what was restored is as good.
      const again = join(parent, `again${status}`)
      expect(await runHere(['backup', again], environment)).toMatchObject({ code: 0 })
      expect(await verified(again)).toMatchObject({ code: 0 })
    } finally {
      await restored.close()
    }
  }
})

it('restores into nothing that is used, from nothing that is broken or newer', async () => {
  const { folder, parent } = await newBackup()
  const used = join(parent, 'used')
  await mkdir(used)
  await writeFile(join(used, 'token-key'), 'mine')
  const database = await emptyDatabase()
  const data = join(parent, 'data')
  const environment = { DATABASE_URL: urlOf(database), PARLEY_DATA_DIR: data }
  const refused = async (from: string, told: Record<string, string>): Promise<[number | null, string]> => {
    const { code, stderr } = await runHere(['restore', from], { ...environment, ...told })
    return [code, stderr.trim().split('\n').at(-1) ?? '']
  }
  expect(await refused(folder, { PARLEY_DATA_DIR: used })).toEqual([
    1,
    expect.stringContaining('is not empty: it has token-key'),
  ])
  expect(await readdir(used)).toEqual(['token-key'])
  expect(await refused(folder, { DATABASE_URL: urlOf(server().database) })).toEqual([
    1,
    expect.stringContaining('the database is not empty'),
  ])
  const [format, made, broken] = ['format', 'made', 'broken'].map((name) => join(parent, name))
  for (const copy of [format, made, broken]) await cp(folder, copy ?? '', { recursive: true })
  await rewriteManifest(format ?? '', (manifest) => ({ ...manifest, format: 2, parley: '9.9.9' }))
  expect(await refused(format ?? '', {})).toEqual([1, expect.stringContaining('Parley 9.9.9 in format 2')])
  await rewriteManifest(made ?? '', (manifest) => ({
    ...manifest,
    parley: '9.9.9',
    migrations: [...manifest.migrations, '2031-01-01-later'],
  }))
  expect(await refused(made ?? '', {})).toEqual([1, expect.stringContaining('newer version of Parley, 9.9.9')])
  const path = join(broken ?? '', 'database/messages.copy.gz')
  const bytes = await readFile(path)
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, bytes)
  expect(await refused(broken ?? '', {})).toEqual([3, expect.stringContaining('The backup is not whole.')])
  const nowhere = join(parent, 'nowhere')
  expect(await refused(nowhere, {})).toEqual([1, `parley: There is no folder ${nowhere}.`])
  // Nothing was left of any of them.
  expect(await readdir(data)).toEqual([])
  expect(await query(database, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  expect(await runHere(['restore', folder], environment)).toMatchObject({ code: 0 })
  expect(await refused(folder, {})).toEqual([1, expect.stringContaining('is not empty')])
})
