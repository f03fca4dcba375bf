import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { capabilities } from '../capabilities.ts'
import { migrateDatabase, MIGRATION_LOCK_ID } from '../platform/db/migrate.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { runHere, useCommandLine } from '../testing/command-line.ts'
import { findingsIn } from '../testing/doctor.ts'
import { useProgram } from '../testing/program.ts'

const commandLine = useCommandLine()
const program = useProgram()

/** @param options for `create database` */
async function withNewDatabase(options: string, use: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const name = `other_${randomUUID().replaceAll('-', '')}`
  const { host, user } = inject('postgres')
  const [outside, inside] = [
    new pg.Client(inject('postgres')),
    new pg.Client({ ...inject('postgres'), database: name }),
  ]
  await outside.connect()
  try {
    await outside.query(`create database ${name} ${options}`)
    await inside.connect()
    await use(`postgres://${user ?? ''}@/${name}?host=${encodeURIComponent(host ?? '')}`, inside)
  } finally {
    await inside.end()
    await outside.query(`drop database ${name} with (force)`)
    await outside.end()
  }
}

it('reports with doctor that a database is unused, and creates nothing in it', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    const { stdout } = await runHere(['doctor', '--json'], { ...parley.settings, DATABASE_URL: url })
    const found = findingsIn(stdout).filter(({ check }) => check === 'database' || check === 'schema')
    expect(found).toMatchObject([{ check: 'schema', state: 'notice', trouble: 'schema_missing' }])
    const tables = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
    expect(tables.rowCount).toBe(0)
  })
})

it('rejects a database without UTF-8 encoding, and prints how to create a UTF-8 database', async () => {
  const parley = await commandLine()
  const latin = `encoding 'LATIN1' locale_provider libc locale 'C' template template0`
  await withNewDatabase(latin, async (url, client) => {
    expect(await runHere(['user', 'list'], { ...parley.settings, DATABASE_URL: url })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'parley: Cannot use the PostgreSQL at DATABASE_URL: its encoding is LATIN1, but Parley needs UTF8: ' +
        `create database parley encoding 'UTF8' template template0\n`,
    })
    const tables = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
    expect(tables.rowCount).toBe(0)
  })
})

async function countRelations(client: pg.Client): Promise<number | null> {
  const { rowCount } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  return rowCount
}

const READ_ONLY_COMMANDS = [
  ['user', 'list'],
  ['user', 'api-key', 'nora@north.example'],
  ['organization', 'list'],
  ['organization', 'show'],
  ['stats'],
  ['prune', '--dry-run'],
]
const OWNER = ['--name', 'North', '--owner-email', 'nora@north.example', '--owner-name', 'Nora']

async function writeSlackExport(directory: string): Promise<string> {
  const folder = join(directory, 'slack')
  await mkdir(folder)
  const ada = { id: 'U1', real_name: 'Ada', is_owner: true, profile: { email: 'ada@north.example' } }
  await writeFile(join(folder, 'users.json'), JSON.stringify([ada]))
  await writeFile(join(folder, 'channels.json'), JSON.stringify([{ id: 'C1', name: 'general', members: ['U1'] }]))
  return folder
}

it('creates no tables in an empty database for commands that need data', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    const changing = [['user', 'deactivate', 'ada@north.example'], ['prune'], ['organization', 'deactivate']]
    for (const args of [...READ_ONLY_COMMANDS, ['export', join(parley.directory, 'archive')], ...changing]) {
      expect([args, await runHere(args, { ...parley.settings, DATABASE_URL: url })]).toEqual([
        args,
        {
          code: 1,
          stdout: '',
          stderr:
            'parley: Cannot use the PostgreSQL at DATABASE_URL: it has no Parley tables yet; `parley start` creates them\n',
        },
      ])
    }
    expect(await countRelations(client)).toBe(0)
  })
})

it('creates an organization in an empty database, and reads it after the database becomes read-only', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    const environment = { ...parley.settings, DATABASE_URL: url, PARLEY_ROOT_DOMAIN: 'parley.test' }
    expect(await runHere(['organization', 'create', 'north', ...OWNER], environment)).toMatchObject({ code: 0 })
    // Makes the data look like a copy, which the next server must recognize.
    await client.query(`update database_place set place = 'elsewhere'`)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]?.name ?? ''} set default_transaction_read_only = on`)
    const named = (args: readonly string[]): string[] => [...args, '--organization', 'north']
    const [list, key, all, show, stats, prune] = READ_ONLY_COMMANDS
    const lines = [
      named(list ?? []),
      named(key ?? []),
      all ?? [],
      named(show ?? []),
      stats ?? [],
      prune ?? [],
      named(['export', join(parley.directory, 'archive')]),
    ]
    for (const args of lines) {
      const { code, stderr } = await runHere(args, environment)
      expect([args, code, stderr.replaceAll(/.* \.{3}\n/g, '')]).toEqual([args, 0, ''])
    }
    const { rows: places } = await client.query('select place from database_place')
    expect(places).toEqual([{ place: 'elsewhere' }])
  })
})

it('makes a command wait while a server creates the tables', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    // Simulates another server that is migrating.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_ID])
    const list = runHere(['organization', 'list', '--json'], { ...parley.settings, DATABASE_URL: url })
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1)
    await migrateDatabase(client, allMigrations(capabilities))
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK_ID])
    const { code, stdout } = await list
    expect([code, JSON.parse(stdout)]).toEqual([0, { organizations: [] }])
  })
})

it('refuses commands on a database that the server has yet to migrate', async () => {
  const parley = await commandLine()
  await withNewDatabase('', async (url, client) => {
    const environment = { ...parley.settings, DATABASE_URL: url, PARLEY_ROOT_DOMAIN: 'parley.test' }
    await runHere(['organization', 'create', 'north', ...OWNER], environment)
    await client.query('delete from migrations where name = (select max(name) from migrations)')
    const before = (await client.query('select name, applied_at from migrations order by name')).rows
    const slack = await writeSlackExport(parley.directory)
    const others = [
      ['organization', 'create', 'south', ...OWNER],
      ['import', 'slack', slack],
      ['import', 'slack', slack, '--dry-run'],
      ['user', 'deactivate', 'nora@north.example', '--organization', 'north'],
    ]
    for (const args of [...READ_ONLY_COMMANDS, ...others]) {
      const { code, stderr } = await runHere(args, environment)
      expect([args, code, stderr]).toEqual([
        args,
        1,
        'parley: Cannot use the PostgreSQL at DATABASE_URL: its tables are from an older version of Parley; ' +
          'run `parley start` of this version to update them, or use the commands of the older version\n',
      ])
    }
    expect((await client.query('select name, applied_at from migrations order by name')).rows).toEqual(before)
  })
})

it('leaves an empty database unchanged in a dry-run import', async () => {
  const parley = await program()
  await withNewDatabase('', async (url, client) => {
    const environment = { DATABASE_URL: url }
    const slack = await writeSlackExport(parley.directory)
    const dry = await parley.run(['import', 'slack', slack, '--dry-run'], { environment })
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/^Would import slack in [\d.]+ s:\n/)])
    expect(dry.stderr.replaceAll(/.* \.{3}\n/g, '')).toBe('')
    expect(await countRelations(client)).toBe(0)
    // Neither TMPDIR nor the data folder has new files.
    expect(await readdir(parley.directory)).toEqual(['slack'])
    const real = await parley.run(['import', 'slack', slack], { environment })
    expect([real.code, real.stdout]).toEqual([0, expect.stringMatching(/^Imported slack in /)])
  })
})
