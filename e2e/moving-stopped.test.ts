import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runHere, type Outcome } from '../server/src/testing/command-line.ts'
import { PROGRAM, useProgram } from '../server/src/testing/program.ts'
import { IMPORT_LOCK_ID, lockImport } from '../server/src/platform/moving/progress.ts'
import { importExport, readConvertedOrganization, fetchMessages, newSubdomain, createZip } from './moving/converted.ts'
import {
  commandEnvironment,
  exportOrganization,
  createFullOrganization,
  IN_THIS_DATABASE_SQL,
  newFolder,
  runParley,
  queryRows,
  movingServer,
  useMovingServer,
  withDatabase,
} from './moving/moved.ts'
import { readConversionReport } from './moving/reports.ts'

/* An interrupted import resumes at the point where it stopped, or is abandoned without a trace. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()
useProgram()

const DAY_MESSAGES = Array.from({ length: 1_200 }, (_, index) => ({
  type: 'message',
  user: 'U1',
  text: `Container ${index} is aboard`,
  ts: `${1_700_000_000 + index}.000100`,
  reactions: [{ name: '+1', users: ['U1'] }],
}))
const EXPORT_FILES = {
  'users.json': [{ id: 'U1', real_name: 'Olga Owner', is_owner: true, profile: { email: 'u1@harbour.example' } }],
  'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1'] }],
  'general/2023-11-14.json': DAY_MESSAGES,
}

/**
 * Waits until an import is blocked by a locked table. Also checks that the import has started, because the server can
 * wait for the table while an export is still being converted.
 */
async function waitUntilBlockedBy(table: string): Promise<void> {
  const waiting = `select count(*)::int as count from pg_locks
    where not granted and ${IN_THIS_DATABASE_SQL} and relation = $1::regclass
      and exists (select from organizations where string_id like '?%')
      and exists (select from pg_locks where locktype = 'advisory' and ${IN_THIS_DATABASE_SQL} and classid = ${IMPORT_LOCK_ID} and granted)`
  await expect
    .poll(async () => (await queryRows(waiting, [table]))[0]?.['count'], { timeout: 60_000 })
    .toBeGreaterThan(0)
}

/** Interrupts a command with Ctrl-C while it waits for a table. */
async function stopCommandAt(table: string, ...args: string[]): Promise<Outcome> {
  const stop = new AbortController()
  let outcome: Promise<Outcome> | undefined
  await withDatabase(async (client) => {
    await client.query('begin')
    await client.query(`lock table ${table} in access exclusive mode`)
    outcome = runHere(args, commandEnvironment(), { stopped: stop.signal })
    await waitUntilBlockedBy(table)
    stop.abort()
    await client.query('rollback')
  })
  if (outcome === undefined) throw new Error('nothing ran')
  return outcome
}

/** Organizations of unfinished imports. */
async function unfinishedImports(): Promise<string[]> {
  return (await queryRows(`select string_id as name from organizations where string_id like '?%'`)).map(({ name }) =>
    String(name),
  )
}

it('allows an import as soon as an earlier import into the same subdomain has ended', async () => {
  const { database } = movingServer().parley
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const unlock = await lockImport(database, 'harbour')
    await expect(lockImport(database, 'harbour')).rejects.toThrow('Another process is importing')
    await unlock()
  }
})

it('resumes after Ctrl-C with the same result as an uninterrupted import', async () => {
  const path = await createZip(EXPORT_FILES)
  const subdomain = newSubdomain()
  for (const table of ['users', 'messages', 'reactions']) {
    const { code, stdout, stderr } = await stopCommandAt(table, 'import', 'slack', path, '--organization', subdomain)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('parley: Stopped. Run the command again to continue.')
  }
  expect(await unfinishedImports()).toHaveLength(1)
  const made = await importExport('slack', path, subdomain)
  expect(made.told).toMatchObject({ resumed: true })
  const olga = await made.user('U1')
  expect((await fetchMessages(olga)).map(({ content }) => content)).toEqual(DAY_MESSAGES.map(({ text }) => text))
  expect(await unfinishedImports()).toEqual([])
  // The ID list already exists and belongs to another import.
  const ids = String(made.told['ids'])
  const other = await createZip({ ...EXPORT_FILES, 'channels.json': [] })
  const refused = await runParley('import', 'slack', other, '--ids', ids, '--organization', newSubdomain())
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain(
    `${ids} already exists and belongs to another import. Choose another file with --ids.`,
  )
})

it('resumes after a kill and leaves nothing in TMPDIR', async () => {
  const path = await createZip(EXPORT_FILES)
  const subdomain = newSubdomain()
  const temporary = await newFolder()
  const settings = { ...commandEnvironment(), TMPDIR: temporary }
  await withDatabase(async (client) => {
    await client.query('begin')
    await client.query('lock table messages in access exclusive mode')
    const child = spawn(process.execPath, [PROGRAM, 'import', 'slack', path, '--organization', subdomain], {
      env: { ...process.env, ...settings },
    })
    await waitUntilBlockedBy('messages')
    // The server can wait for the table before the import has stored data with which to resume.
    const stored = `select count(*)::int as count from imports where completed_at is null and progress <> '{}'::jsonb`
    await expect.poll(async () => (await queryRows(stored))[0]?.['count'], { timeout: 60_000 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await client.query('rollback')
  })
  expect(await readdir(temporary)).toHaveLength(1)
  const child = spawn(process.execPath, [PROGRAM, 'import', 'slack', path, '--json', '--organization', subdomain], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  expect(await once(child, 'close')).toEqual([0, null])
  expect(await readdir(temporary)).toEqual([])
  const made = await readConvertedOrganization(subdomain, readConversionReport(stdout))
  expect(made.told).toMatchObject({ resumed: true })
  expect(await fetchMessages(await made.user('U1'))).toHaveLength(DAY_MESSAGES.length)
})

it.each(['user_groups', 'users', 'messages'])('deletes all data of an import stopped at table %s', async (table) => {
  const { organization } = await createFullOrganization()
  const folder = await exportOrganization(organization)
  const subdomain = newSubdomain()
  expect((await stopCommandAt(table, 'import', 'parley', folder, '--organization', subdomain)).code).toBe(1)
  const [name = ''] = await unfinishedImports()
  expect(name).toMatch(/^\?[\da-f]{16}$/)
  const [row] = await queryRows('select id from organizations where string_id = $1', [name])
  const listed = await runParley('organization', 'list')
  expect([listed.code, listed.stdout.includes(name)]).toEqual([0, true])
  const wrong = await runParley('organization', 'delete', '--organization', name, '--yes', 'Something else')
  expect([wrong.code, await unfinishedImports()]).toEqual([1, [name]])
  // An unfinished import can only be referred to by this temporary name.
  const deleted = await runParley('organization', 'delete', '--organization', name, '--yes', name)
  expect([deleted.stderr, deleted.code]).toEqual(['', 0])
  expect(await unfinishedImports()).toEqual([])
  const tables = await queryRows(
    `select c.relname::text as table from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attname = 'organization_id'`,
  )
  for (const { table: one } of tables) {
    const found = await queryRows(`select count(*)::int as count from "${String(one)}" where organization_id = $1`, [
      row?.['id'],
    ])
    expect([one, found[0]?.['count']]).toEqual([one, 0])
  }
  expect(existsSync(join(commandEnvironment()['PARLEY_DATA_DIR'] ?? '', 'files', 'uploads', String(row?.['id'])))).toBe(
    false,
  )
  // The subdomain is available for another archive.
  const again = await runParley('import', 'parley', folder, '--json', '--organization', subdomain)
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, expect.objectContaining({ resumed: false })])
})
