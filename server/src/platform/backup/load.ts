import { createReadStream } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { formatCount } from '../../kernel/phrases.ts'
import type { Migration } from '../../kernel/tables.ts'
import { lockMigrations, makeTables } from '../db/migrate.ts'
import { DamagedBackup, type Report } from './reporting.ts'
import { columnListSql, SESSION_SETTINGS_SQL, TABLES_SQL, type FoundTable } from './dump.ts'
import { pathOfTable, countRows, type Manifest, type TableEntry } from './manifest.ts'

/** PostgreSQL error codes that mean inconsistent or truncated rows: data exceptions and violated constraints. */
const BAD_ROW_CODES = /^2[23]/
const ZLIB_ERROR_CODES = /^Z_/

/** Constraints that are dropped during the load for speed. Recreating them checks the rows. */
const CONSTRAINTS_SQL = `
  select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by c.oid`
const INDEXES_SQL = `
  select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_constraint o where o.conindid = c.oid) order by c.oid`

type DatabaseManifest = Pick<Manifest, 'migrations' | 'tables' | 'sequences'>

export interface LoadOptions {
  readonly client: pg.Client
  readonly folder: string
  readonly manifest: DatabaseManifest
  readonly migrations: readonly Migration[]
  readonly report: Report
  readonly signal?: AbortSignal | undefined
}

/** Loads the tables that this version knows; returns the names of all other tables. @throws DamagedBackup */
export async function loadDatabase(options: LoadOptions): Promise<readonly string[]> {
  const { client, manifest, migrations, report, signal } = options
  await client.query(SESSION_SETTINGS_SQL)
  await lockMigrations(client)
  await requireEmptyDatabase(client)
  await makeTables(client, manifest.migrations, migrations)
  const { rows: made } = await client.query<FoundTable>(TABLES_SQL)
  for (const table of made) requireTable(table, manifest)
  const names = new Set(made.map(({ name }) => name))
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(CONSTRAINTS_SQL)
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES_SQL)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const total = countRows(manifest)
  let done = 0
  for (const table of manifest.tables) {
    if (!names.has(table.name)) continue
    signal?.throwIfAborted()
    await reportAsBackupDamage(loadTable(table, options), pathOfTable(table.name))
    done += table.rows
    report('rows', done, total)
  }
  const parts = indexes.length + constraints.length
  let built = 0
  for (const { name, definition } of indexes) {
    signal?.throwIfAborted()
    await reportAsBackupDamage(client.query(definition), `the index ${name}`)
    report('indexes', (built += 1), parts)
  }
  for (const { table, name, definition } of constraints) {
    signal?.throwIfAborted()
    await reportAsBackupDamage(
      client.query(`alter table ${table} add constraint ${name} ${definition}`),
      `${table}, ${name}`,
    )
    report('indexes', (built += 1), parts)
  }
  await advanceSequences(client, manifest, 0)
  return manifest.tables.filter(({ name }) => !names.has(name)).map(({ name }) => name)
}

export async function advanceSequences(client: pg.Client, manifest: DatabaseManifest, by: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select sequencename::text as name from pg_sequences where schemaname = current_schema()',
  )
  for (const { name } of rows) {
    const last = (manifest.sequences.find((sequence) => sequence.name === name)?.last ?? 0) + by
    if (last > 0) await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), last])
  }
}

async function requireEmptyDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<FoundTable>(TABLES_SQL)
  const [first] = rows
  if (first === undefined) return
  throw new Error(
    `the database is not empty: it has the table ${first.name}. A backup can be restored only into an empty database`,
  )
}

function requireTable({ name, columns }: FoundTable, { tables }: DatabaseManifest): void {
  const stored = tables.find((table) => table.name === name)
  const missing = columns.find((column) => stored?.columns.includes(column) !== true)
  if (missing !== undefined) throw new DamagedBackup(`The table ${name} of the backup has no column ${missing}.`)
}

async function loadTable(
  { name, columns, rows, sha256 }: TableEntry,
  { client, folder, signal }: LoadOptions,
): Promise<void> {
  const { from } = await import('pg-copy-streams')
  const table = pg.escapeIdentifier(name)
  await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${table}`)
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const written = client.query(from(`copy ${table} (${columnListSql(columns)}) from stdin with (freeze)`))
  await pipeline(createReadStream(join(folder, pathOfTable(name))), hashed, createGunzip(), written, { signal })
  if (hash.digest('hex') !== sha256) throw new DamagedBackup(`${pathOfTable(name)} does not match its checksum.`)
  if (written.rowCount !== rows) {
    throw new DamagedBackup(
      `${pathOfTable(name)} has ${formatCount(written.rowCount ?? 0, 'row', 'rows')}, but the manifest says ${rows}.`,
    )
  }
  await client.query(`alter table ${table} enable trigger user`)
}

async function reportAsBackupDamage<Result>(work: Promise<Result>, what: string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
    const isDamage =
      ZLIB_ERROR_CODES.test(code) ||
      code === 'ENOENT' ||
      (error instanceof pg.DatabaseError && BAD_ROW_CODES.test(code))
    if (!isDamage || !(error instanceof Error)) throw error
    throw new DamagedBackup(`${what}: ${error.message}`, { cause: error })
  }
}
