import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer as createProxy } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  OWNER_ENVIRONMENT,
  runHere,
  useCommandLine,
  type CommandLineHere,
  type Environment,
} from '../testing/command-line.ts'
import { askDatabase } from '../testing/databases.ts'
import { findingsIn, type ReportedFinding } from '../testing/doctor.ts'
import { textWith } from '../testing/expected.ts'
import { upload } from '../testing/files.ts'
import { portOf } from '../testing/free-port.ts'
import { useProgram } from '../testing/program.ts'

const commandLine = useCommandLine()
const program = useProgram()

/** Creates a database with synchronous commits, which the tests' other databases turn off. */
async function createDurableDatabase(): Promise<CommandLineHere> {
  const parley = await commandLine()
  const { database } = parley.database
  await askDatabase(parley.database, `alter role current_user in database ${database} set synchronous_commit = on`)
  return parley
}

/** Returns findings that do not depend on the machine. */
async function runDoctor(
  { settings }: { settings: Environment },
  more: Environment = {},
): Promise<{ code: number | null; found: ReportedFinding[] }> {
  const { code, stdout } = await runHere(['doctor', '--json'], { ...settings, ...more })
  // A new server has no backup; another test covers that finding.
  const left = ['disk', 'memory', 'descriptors', 'backup']
  const isLeftOut = ({ check, state, trouble }: ReportedFinding): boolean =>
    state === 'ok' || left.includes(check) || trouble === 'database_memory_small'
  return { code, found: findingsIn(stdout).filter((finding) => !isLeftOut(finding)) }
}

it('reports an unreachable bus without printing the bus password', async () => {
  const { found } = await runDoctor(await commandLine(), {
    DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
    BUS_URL: 'nats://parley:swordfish@127.0.0.1:1',
  })
  const [bus, ...others] = found.filter(({ check }) => check === 'bus')
  expect([bus?.state, bus?.trouble, others]).toEqual(['wrong', 'bus_away', []])
  expect(bus?.message).toContain('the bus at 127.0.0.1:1 is unreachable: connection refused.')
  expect(JSON.stringify(found)).not.toContain('swordfish')
})

it('checks the identity provider, including whether it verifies email addresses', async () => {
  let claims: readonly string[] | undefined = ['sub', 'email']
  const site = createProxy((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, claims_supported: claims }))
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${portOf(site)}`
  const environment = {
    PARLEY_OIDC_ISSUER: issuer,
    PARLEY_OIDC_CLIENT_ID: 'parley',
    PARLEY_OIDC_CLIENT_SECRET: 'hidden',
  }
  const diagnose = async (more: Environment = {}): Promise<unknown[]> => {
    const settings = { DATABASE_URL: 'postgres://127.0.0.1:1/nothing', ...environment, ...more }
    const { found } = await runDoctor(await commandLine(), settings)
    expect(JSON.stringify(found)).not.toContain('hidden')
    return found.filter(({ check }) => check === 'identity_provider').map(({ state, trouble }) => [state, trouble])
  }
  expect(await diagnose()).toEqual([['notice', 'identity_provider_unverified']])
  expect(await diagnose({ PARLEY_OIDC_TRUST_EMAIL: 'on' })).toEqual([])
  claims = ['sub', 'email', 'email_verified']
  expect(await diagnose()).toEqual([])
  // A provider that lists no claims can send any claim.
  claims = undefined
  expect(await diagnose()).toEqual([])
  site.close()
  site.closeAllConnections()
  expect(await diagnose()).toEqual([['wrong', 'identity_provider_unreachable']])
})

it("does not mistake a proxy's response for the server's response while the database is unreachable", async () => {
  const proxy = createProxy((_, response) => response.writeHead(503).end())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const parley = await commandLine()
  const directory = parley.settings['PARLEY_DATA_DIR'] ?? ''
  await mkdir(directory, { recursive: true })
  const url = `http://127.0.0.1:${portOf(proxy)}`
  await writeFile(join(directory, 'served.json'), JSON.stringify({ PARLEY_URL: url }))
  const { found } = await runDoctor(parley, { DATABASE_URL: 'postgres://127.0.0.1:1/nothing' })
  expect(found).toMatchObject([{ check: 'database', state: 'wrong', trouble: 'database_unreachable' }])
  await once(proxy.close(), 'close')
})

it('reports that uploads are missing from the configured location, as the server does at startup', async () => {
  const parley = await createDurableDatabase()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  await upload(server.user('owner@localhost', key.trim()), 'words.txt', 'many words')
  await server.stop()
  const folder = join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'files')
  await rename(folder, `${folder}-of-others`)
  const said = `None of the latest uploaded files are in ${folder} (1 checked).`
  const { code, found } = await runDoctor(parley)
  expect([code, found]).toMatchObject([1, [{ check: 'files', trouble: 'files_elsewhere', value: 1, message: said }]])
  expect(found[0]?.remedy).toMatch(
    /^On all servers, set PARLEY_FILES and PARLEY_DATA_DIR .*restore the files from a backup\.$/,
  )
  const without = await (await program(parley.settings)).stay('start')
  await expect.poll(without.stdout).toContain('"msg":"uploaded files are elsewhere"')
  expect(without.stdout()).toContain(JSON.stringify(said))
  expect(without.stdout()).toContain('On all servers, set PARLEY_FILES and PARLEY_DATA_DIR')
  await without.stop()
  await rename(`${folder}-of-others`, folder)
  expect(await runDoctor(parley)).toEqual({ code: 0, found: [] })
})

it('prints a fix with each problem that doctor finds, and exits with 1', async () => {
  const parley = await createDurableDatabase()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  const owner = server.user('owner@localhost', key.trim())
  const address = await upload(owner, 'words.txt', 'many words')
  await upload(owner, 'more.txt', 'more words')
  const data = parley.settings['PARLEY_DATA_DIR'] ?? ''
  expect(await runDoctor(parley)).toEqual({ code: 0, found: [] })

  await rm(join(data, 'files/uploads', address.split('/').slice(2, 5).join('/')))
  await chmod(data, 0o777)
  await askDatabase(
    parley.database,
    `update pg_index set indisvalid = false where indexrelid = 'audit_log_kind'::regclass`,
    `update events set recorded_at = recorded_at + 7200 where position = (select max(position) from events)`,
    `insert into data_exports (organization_id, id, acting_user_id, export_type, begun_at, name, leased_until)
     values (1, 1000000, 1, 1, 1000, 'a name', 4000000000)`,
    `insert into organizations (string_id) values ('!77')`,
    `insert into messages (organization_id, id, topic_id, sender_id, content, rendered_content, date_sent, client)
     select -1, n, 0, 0, '', '', 0, '' from generate_series(1, 2) n`,
    `insert into attachments (organization_id, id, owner_id, path_id, name, content_type, size, date_created)
     values (-1, 1, 0, '', '', 'application/pdf', 1, 0)`,
  )
  const nobody = createServer().listen(0, '127.0.0.1')
  await once(nobody, 'listening')
  const bound = nobody.address()
  nobody.close()
  const PARLEY_SMTP_URL = `smtp://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  const { code, found } = await runDoctor(parley, { PARLEY_SMTP_URL })
  expect(code).toBe(1)
  expect(found.map(({ check, state, trouble, value }) => [check, state, trouble, value])).toEqual([
    ['data_directory', 'wrong', 'data_directory_open', null],
    ['clock', 'wrong', 'clock_behind_log', expect.any(Number)],
    ['indexes', 'wrong', 'indexes_invalid', 1],
    ['files', 'wrong', 'files_missing', 1],
    ['work', 'wrong', 'work_late', 1],
    ['work', 'notice', 'removals_left', 1],
    ['work', 'notice', 'search_incomplete', 2],
    ['work', 'notice', 'file_search_incomplete', 1],
    ['mail', 'wrong', 'mail_unreachable', null],
  ])
  for (const { message, remedy } of found) {
    expect(message).toMatch(/^[A-Z0-9].*\.$/)
    expect(remedy).toMatch(/^[A-Z].*\.$/s)
  }
  const { stdout, stderr, code: shown } = await parley.run(['doctor'], { environment: { PARLEY_SMTP_URL } })
  expect([shown, stderr]).toEqual([1, 'parley: 6 problems found.\n'])
  expect(stdout).toContain('1 index is invalid: audit_log_kind.')
  expect(stdout).toContain('The mail server is unreachable: connect ECONNREFUSED')

  await askDatabase(
    parley.database,
    `alter database ${parley.database.database} set default_transaction_read_only = on`,
  )
  const readOnly = (await runDoctor(parley)).found.filter(({ check }) => check === 'database')
  expect(readOnly).toMatchObject([{ trouble: 'database_read_only', state: 'wrong' }])
  await askDatabase(
    parley.database,
    'set default_transaction_read_only = off',
    `alter database ${parley.database.database} reset default_transaction_read_only`,
  )

  // For a database of another version, doctor reports only the version, and changes nothing.
  await askDatabase(parley.database, `delete from migrations where name = (select max(name) from migrations)`)
  expect((await runDoctor(parley)).found).toContainEqual(
    expect.objectContaining({ state: 'notice', trouble: 'schema_old', value: 1 }),
  )
  expect((await runDoctor(parley)).found).toContainEqual(expect.objectContaining({ trouble: 'schema_old' }))
  await askDatabase(parley.database, `insert into migrations values ('9999-of-the-future', now())`)
  const newer = await runDoctor(parley)
  expect(newer.found).toContainEqual(expect.objectContaining({ state: 'wrong', trouble: 'schema_newer' }))
  expect(newer.code).toBe(1)
})

it('reports a missing, outdated, or unverified backup', async () => {
  const parley = await commandLine()
  await (await parley.stay('start', OWNER_ENVIRONMENT)).stop()
  const backup = async (): Promise<ReportedFinding | undefined> => {
    const { stdout } = await runHere(['doctor', '--json'], parley.settings)
    return findingsIn(stdout).find(({ check }) => check === 'backup')
  }
  expect(await backup()).toMatchObject({ state: 'notice', trouble: 'backup_none', value: null })
  const folder = join(parley.directory, 'backup')
  expect(await runHere(['backup', folder], parley.settings)).toMatchObject({ code: 0 })
  expect(await backup()).toMatchObject({ state: 'notice', trouble: 'backup_unverified', value: null })
  expect((await backup())?.message).toContain(folder)
  // A check of only the checksums does not count, nor does another server's backup.
  expect(await runHere(['verify', folder, '--files-only'], parley.settings)).toMatchObject({ code: 0 })
  expect(await backup()).toMatchObject({ trouble: 'backup_unverified' })

  const note = join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'backups.json')
  const { latest } = z.object({ latest: z.looseObject({}) }).parse(JSON.parse(await readFile(note, 'utf8')))
  // A complete verification takes seconds, so only backup.test.ts runs one.
  const noted = { latest, verified: latest }
  await writeFile(note, JSON.stringify(noted))
  expect(await backup()).toMatchObject({ state: 'ok', message: textWith(folder) })
  const ago = (days: number): number => Math.floor(Date.now() / 1000) - days * 86_400 - 60
  await writeFile(note, JSON.stringify({ ...noted, verified: { ...noted.verified, snapshot_at: ago(31) } }))
  expect(await backup()).toMatchObject({ state: 'notice', trouble: 'backup_unverified' })
  await writeFile(note, JSON.stringify({ ...noted, latest: { ...noted.latest, snapshot_at: ago(3) } }))
  expect(await backup()).toMatchObject({ state: 'notice', trouble: 'backup_old', value: 3 })
  await writeFile(note, 'nothing that was noted')
  expect(await backup()).toMatchObject({ state: 'notice', trouble: 'backup_none' })
  // A backup does not contain the record of earlier backups.
  expect(await runHere(['backup', join(parley.directory, 'next')], parley.settings)).toMatchObject({ code: 0 })
  const copied = await readdir(join(parley.directory, 'next'), { recursive: true })
  expect(copied.filter((path) => path.includes('backups.json'))).toEqual([])
})

it('reports problems that prevent the server from starting', async () => {
  const parley = await createDurableDatabase()
  const nothing = await runDoctor({ settings: { PARLEY_DATA_DIR: join(parley.directory, 'none') } })
  expect(nothing.code).toBe(1)
  expect(nothing.found.map(({ trouble }) => trouble)).toContain('database_unreachable')
  expect(nothing.found.find(({ check }) => check === 'database')?.message).toMatch(/: No database in /)

  await (await parley.stay('start', OWNER_ENVIRONMENT)).stop()
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const bound = listener.address()
  const port = String(typeof bound === 'object' && bound !== null ? bound.port : 0)
  expect((await runDoctor(parley, { PORT: port })).found).toMatchObject([
    { check: 'address', trouble: 'address_taken', value: Number(port) },
  ])
  listener.close()
  const open = { HOST: '0.0.0.0', PARLEY_URL: 'http://chat.example.org' }
  expect((await runDoctor(parley, open)).found).toMatchObject([{ state: 'notice', trouble: 'address_unencrypted' }])
  expect((await runDoctor(parley, { ...open, PARLEY_DEVELOPMENT: '1' })).found).toMatchObject([
    { state: 'wrong', trouble: 'address_of_developers' },
  ])
  const data = parley.settings['PARLEY_DATA_DIR'] ?? ''
  await writeFile(join(data, 'served.json'), JSON.stringify({ PARLEY_URL: `http://127.0.0.1:${port}` }))
  const database = { DATABASE_URL: `postgres://parley@127.0.0.1:${port}/parley` }
  const away = await runDoctor(parley, database)
  expect(away.found.map(({ trouble }) => trouble)).toEqual(['database_unreachable', 'address_unreachable'])
  expect(away.found[0]?.message).toContain('ECONNREFUSED')
})

it('reports an unusable data directory', async () => {
  const { directory } = await commandLine()
  await mkdir(join(directory, 'embedded/postgres/data'), { recursive: true })
  const { code, found } = await runDoctor({ settings: { PARLEY_DATA_DIR: join(directory, 'embedded') } })
  expect(code).toBe(1)
  expect(found).toContainEqual(expect.objectContaining({ check: 'database', trouble: 'database_unreachable' }))
  const file = join(directory, 'file')
  await writeFile(file, 'words')
  for (const [data, reason] of [
    [file, 'is a file'],
    [join(file, 'data'), 'would be inside a file'],
  ] as const) {
    const inFile = await runDoctor({ settings: { PARLEY_DATA_DIR: data } })
    expect(inFile.code).toBe(1)
    const [database] = inFile.found.filter(({ check }) => check === 'database')
    expect(database?.message).toContain(`The data folder ${data} ${reason}.`)
  }
})
