import { createGzip } from 'node:zlib'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PassThrough } from 'node:stream'
import pg from 'pg'
import { pathOfTable, type Manifest, type TableEntry } from './manifest.ts'
import { storeWithChecksum } from './folder.ts'
import type { Report } from './reporting.ts'

/** Twice as fast as the default level, for 10% more bytes: the server needs the CPU to answer requests. */
const GZIP_LEVEL = 1

export type Dump = Pick<Manifest, 'postgres' | 'snapshotAt' | 'migrations' | 'organizations' | 'tables' | 'sequences'>

/** Overrides the operator's database settings that could change or cut off the output. */
export const SESSION_SETTINGS_SQL = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3; set client_encoding = 'UTF8'`

export const TABLES_SQL = `
  select c.oid::bigint as oid, c.relname as name, pg_table_size(c.oid)::bigint as size,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
  order by c.relname collate "C"`

export interface FoundTable {
  readonly oid: number
  readonly name: string
  readonly size: number
  readonly columns: readonly string[]
}

/** Snapshots do not cover sequences. Read after the rows, a sequence is never behind them. */
const SEQUENCES_SQL = `
  select sequencename::text as name, coalesce(last_value, 0)::bigint as last from pg_sequences
  where schemaname = current_schema() order by 1`

export function columnListSql(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}

/** Dumps all tables at one moment. `client` must be a dedicated connection. */
export async function dumpDatabase(
  client: pg.Client,
  folder: string,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<Dump> {
  await client.query(SESSION_SETTINGS_SQL)
  await client.query('begin isolation level repeatable read read only')
  const { rows: moments } = await client.query<{ snapshotAt: number; postgres: string }>(
    `select floor(extract(epoch from clock_timestamp()))::bigint as "snapshotAt", current_setting('server_version') as postgres`,
  )
  const { snapshotAt = 0, postgres = '' } = moments[0] ?? {}
  const { rows: found } = await client.query<FoundTable>(TABLES_SQL)
  const { rows: migrations } = await client.query<{ name: string }>('select name from migrations order by name')
  const { rows: organizations } = await client.query<Manifest['organizations'][number]>(
    'select id, string_id as subdomain, position from organizations order by id',
  )
  const total = found.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const tables: TableEntry[] = []
  for (const table of found) {
    tables.push(await dumpTable(client, table, folder, (share) => report('database', done + share, total), signal))
    done += table.size
    report('database', done, total)
  }
  const { rows: sequences } = await client.query<Manifest['sequences'][number]>(SEQUENCES_SQL)
  await client.query('commit')
  return { snapshotAt, postgres, migrations: migrations.map(({ name }) => name), organizations, tables, sequences }
}

async function dumpTable(
  client: pg.Client,
  { name, columns, size }: FoundTable,
  folder: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<TableEntry> {
  const { to } = await import('pg-copy-streams')
  const rows = client.query(to(`copy ${pg.escapeIdentifier(name)} (${columnListSql(columns)}) to stdout`))
  let bytes = 0
  rows.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    onBytes(Math.min(bytes, size))
  })
  const packed = new PassThrough()
  const packing = pipeline(rows, createGzip({ level: GZIP_LEVEL }), packed, { signal })
  const [{ sha256 }] = await Promise.all([storeWithChecksum(packed, join(folder, pathOfTable(name)), signal), packing])
  return { name, columns, rows: rows.rowCount, sha256 }
}
