import type pg from 'pg'
import type { Migration } from '../../kernel/tables.ts'
import { isDeadlock } from './unavailable.ts'

export const MIGRATION_LOCK_ID = 7_275_359

const MIN_POSTGRES_VERSION = 15

/** @param version `server_version_num`, for example 150018 */
export function refuseOldPostgres(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < MIN_POSTGRES_VERSION)
    throw new Error(`it is PostgreSQL ${major}, but Parley needs ${MIN_POSTGRES_VERSION} or newer`)
}

export class NoTablesError extends Error {
  override readonly name = 'NoTablesError'
}

/** @throws Error if the database cannot have Parley's tables */
export async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ version: number; encoding: string; hasTable: boolean }>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
       to_regclass('migrations') is not null as "hasTable"`,
  )
  const [{ version, encoding, hasTable } = { version: 0, encoding: '', hasTable: false }] = rows
  refuseOldPostgres(version)
  if (encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${encoding}, but Parley needs UTF8: create database parley encoding 'UTF8' template template0`,
    )
  return hasTable
}

/** Waits for a migration in progress, for commands that must not migrate. @throws NoTablesError */
export async function requireTables(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await hasTables(client)) && (await pendingMigrations(client, migrations)).length === 0
  if (await isReady()) return
  await withoutTimeouts(client, async () => {
    await client.query(withoutTimeoutQuery('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK_ID]))
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK_ID])
  })
  if (await isReady()) return
  if (!(await hasTables(client))) throw new NoTablesError('it has no Parley tables yet; `parley start` creates them')
  throw new Error(
    'its tables are from an older version of Parley; run `parley start` of this version to update them, or use the commands of the older version',
  )
}

export async function migrateDatabase(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const hasTable = await hasTables(client)
  // Most starts find all migrations applied, and need no lock.
  if (hasTable && (await pendingMigrations(client, migrations)).length === 0) return []
  return withoutTimeouts(client, async () => {
    await client.query(withoutTimeoutQuery('select pg_advisory_lock($1)', [MIGRATION_LOCK_ID]))
    try {
      await client.query(
        'create table if not exists migrations (name text primary key, applied_at timestamptz not null)',
      )
      const pending = await pendingMigrations(client, migrations)
      for (const migration of pending) await applyMigration(client, migration)
      return pending.map((migration) => migration.name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK_ID])
    }
  })
}

const MAX_DEADLOCKS = 20

/** Repeats a migration that locks tables in another order than servers of the previous version, which keep working. */
async function applyMigration(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    try {
      await client.query('begin')
      await client.query(withoutTimeoutQuery(sql))
      await client.query('insert into migrations (name, applied_at) values ($1, now())', [name])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!isDeadlock(error) || deadlocks === MAX_DEADLOCKS) throw error
    }
  }
}

/** Lifts timeouts, because migrations, and waiting for another process's migrations, can take a long time. */
async function withoutTimeouts<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
  try {
    return await work()
  } finally {
    await client.query('reset statement_timeout; reset lock_timeout; reset idle_in_transaction_session_timeout')
  }
}

/** Waits for migrations in progress, and blocks new migrations until the connection ends. */
export async function waitForMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK_ID])
}

export async function makeTables(
  client: pg.ClientBase,
  names: readonly string[],
  migrations: readonly Migration[],
): Promise<void> {
  refuseUnknownMigrations(names, migrations)
  await client.query('create table migrations (name text primary key, applied_at timestamptz not null)')
  for (const { name, sql } of migrations) if (names.includes(name)) await client.query(sql)
}

export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK_ID])
}

/** Rejects a database that a newer version has migrated, because this version would misread its data. */
export function refuseUnknownMigrations(names: readonly string[], migrations: readonly Migration[]): void {
  const unknown = names.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown === undefined) return
  throw new Error(`a newer version of Parley has changed it (${unknown}); start that version or a later one`)
}

const MAX_TIMEOUT_MILLISECONDS = 2 ** 31 - 1

function withoutTimeoutQuery(text: string, values?: readonly unknown[]): pg.QueryConfig {
  const statement = { text, query_timeout: MAX_TIMEOUT_MILLISECONDS }
  return values === undefined ? statement : { ...statement, values: [...values] }
}

async function pendingMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  refuseUnknownMigrations([...applied], migrations)
  return migrations.filter((migration) => !applied.has(migration.name))
}
