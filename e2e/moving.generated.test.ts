import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { play, randomSteps } from '../client/src/testing/play.ts'
import { EXPORTED_TABLES, OMITTED_TABLES } from '../server/src/organization-archive.ts'
import { pathOfTable, readManifest } from '../server/src/platform/moving/manifest.ts'
import { PROGRAM, useProgram } from '../server/src/testing/program.ts'
import { effort, someOf } from '../server/src/testing/effort.ts'
import { fetchAs } from '../server/src/testing/files.ts'
import { Random } from '../server/src/testing/random.ts'
import type { Body } from '../server/src/testing/user.ts'
import {
  commandEnvironment,
  expectSameView,
  exportOrganization,
  createFullOrganization,
  importFolder,
  IN_THIS_DATABASE_SQL,
  runParley,
  queryRows,
  movingServer,
  userAtCopy,
  useMovingServer,
  withDatabase,
} from './moving/moved.ts'
import { readImportReport } from './moving/reports.ts'

/* An organization that is exported and imported looks the same to all its users. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()
useProgram()

const ORGANIZATIONS = effort(2)
const STEPS = effort(400)

/** Tables at which the test kills an import. */
const TABLES_TO_KILL_AT = someOf(['subscriptions', 'messages', 'reactions'])

/** Advisory lock of an import. */
const IMPORT_LOCK = 0x6d6f7665

it('shows every user the same organization after an export and import', async () => {
  for (let seed = 4; seed < 4 + ORGANIZATIONS; seed += 1) {
    const { scene } = await play(movingServer(), seed, randomSteps(new Random(seed), STEPS), [])
    const folder = await exportOrganization(scene.organization)
    const made = await importFolder(folder)
    const { manifest } = await readManifest(folder)
    expect(made.told.left_out).toEqual(manifest.left_out)
    for (const user of [...scene.people, scene.bot]) await expectSameView(user, scene.organization.id, made)
  }
})

it('moves files unchanged, predicts the import in a dry run, and resumes a stopped import', async () => {
  const { organization, people, urls } = await createFullOrganization()
  const folder = await exportOrganization(organization)
  const count = async (): Promise<Body[]> =>
    queryRows('select count(*)::int as count, (select count(*)::int from messages) as messages from organizations')
  const before = await count()
  const subdomain = `k${randomUUID().slice(0, 8)}`
  const dry = await runParley('import', 'parley', folder, '--dry-run', '--json', '--organization', subdomain)
  expect(dry.code).toBe(0)
  const foretold = readImportReport(dry.stdout)
  expect(foretold).toMatchObject({ dry_run: true, resumed: false, organization: { name: 'Moving House' } })
  const given = [folder, '--organization', subdomain]
  expect(await stopImportAt('messages', [...given, '--dry-run'], 'SIGINT')).toContain('Stopped. Nothing was stored.')
  expect(await count()).toEqual(before)

  for (const table of TABLES_TO_KILL_AT) {
    await stopImportAt(table, given, 'SIGKILL')
    expect(await movingServer().parley.isOrganization(`${subdomain}.parley.test`)).toBe(false)
  }
  await expect
    .poll(
      async () =>
        (
          await queryRows(
            `select count(*)::int as count from pg_locks where locktype = 'advisory' and ${IN_THIS_DATABASE_SQL} and classid = $1`,
            [IMPORT_LOCK],
          )
        )[0]?.['count'],
    )
    .toBe(0)
  const made = await importFolder(folder, subdomain)
  expect(made.told).toMatchObject({ resumed: true, left_out: foretold.left_out })
  expect(made.told.tables).toEqual(foretold.tables)
  for (const { rows, stored } of made.told.tables) expect(stored).toBe(rows)
  for (const user of people) await expectSameView(user, organization.id, made)
  for (const user of people) {
    for (const url of urls) {
      const moved = url.replace(`/${organization.id}/`, `/${made.id}/`)
      const [here, elsewhere] = [await fetchAs(user, url), await fetchAs(userAtCopy(user, made), moved)]
      expect([here.status, elsewhere.status, elsewhere.bytes.equals(here.bytes)]).toEqual([200, 200, true])
    }
  }
  const ada = people[1]
  if (ada === undefined) throw new Error('no user exists')
  // Both organizations continue independently.
  const { state } = await userAtCopy(ada, made).register()
  const sent = await userAtCopy(ada, made).send('plans', 'food', 'Me')
  expect(sent).toBeGreaterThan(state['max_message_id'])
  expect((await runParley('import', 'parley', folder, '--organization', subdomain)).stderr).toContain(
    `The subdomain '${subdomain}' is taken.`,
  )
})

it('omits secrets on request and gives everyone new API keys', async () => {
  const { organization, people } = await createFullOrganization()
  const folder = await exportOrganization(organization, '--without-secrets')
  const text = await readFile(join(folder, pathOfTable('credentials')), 'utf8')
  for (const { apiKey } of people) expect(text).not.toContain(apiKey)
  const made = await importFolder(folder)
  for (const user of people) {
    expect((await user.try('GET', '/users/me')).status).toBe(200)
    expect((await userAtCopy(user, made).try('GET', '/users/me')).status).toBe(401)
  }
  const keys = await queryRows('select distinct api_key from credentials where organization_id = $1', [made.id])
  expect(keys.length).toBeGreaterThanOrEqual(people.length)
})

/** Columns that exports omit: generated columns, and columns that only the previous version reads. */
const OMITTED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  attachments: ['has_text'],
  messages: ['search', 'terms'],
  organization_settings: ['pseudonym_seed'],
  users: ['bot_defaults'],
}

it('exports every column of every table or lists the table as omitted', async () => {
  const { rows: found } = await withDatabase(async (client) =>
    client.query<{ table: string; columns: string[] }>(
      `select c.relname::text as table, array_agg(a.attname::text) as columns from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and exists (
         select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped)
       group by c.relname`,
    ),
  )
  const omitted = OMITTED_TABLES.map(({ table }) => table)
  const carried = new Map(EXPORTED_TABLES.map((table) => [table.table, [...table.columns, ...table.derived]]))
  for (const { table, columns } of found) {
    const known = carried.get(table)
    expect([table, known === undefined]).toEqual([table, omitted.includes(table)])
    if (known === undefined) continue
    const all = [...known, ...(OMITTED_COLUMNS[table] ?? []), 'organization_id']
    expect([table, columns.toSorted()]).toEqual([table, all.toSorted()])
  }
  expect([...carried.keys(), ...omitted].filter((name) => !found.some(({ table }) => table === name))).toEqual([])
})

/** Stops an import while another session's lock on a table blocks it. @returns its output */
async function stopImportAt(table: string, args: readonly string[], signal: 'SIGINT' | 'SIGKILL'): Promise<string> {
  return withDatabase(async (client) => {
    await client.query('begin')
    await client.query(`lock table ${table} in access exclusive mode`)
    const child = spawn(process.execPath, [PROGRAM, 'import', 'parley', ...args], {
      env: { ...process.env, ...commandEnvironment() },
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    // The server also waits for the table, even before the import starts.
    const waiting = `select count(*)::int as count from pg_locks where not granted and ${IN_THIS_DATABASE_SQL} and relation = $1::regclass`
    await expect
      .poll(
        async () => (/(Checking|Importing) rows/.test(said) ? (await queryRows(waiting, [table]))[0]?.['count'] : 0),
        {
          timeout: 60_000,
        },
      )
      .toBeGreaterThan(0)
    child.kill(signal)
    await once(child, 'exit')
    await client.query('rollback')
    return said
  })
}
