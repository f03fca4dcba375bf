import { readdir, stat, statfs } from 'node:fs/promises'
import type pg from 'pg'
import type { Migration } from '../../kernel/tables.ts'
import { dumpDatabase, type Dump } from '../backup/dump.ts'
import { makeFolder } from '../folders.ts'
import { loadDatabase } from '../backup/load.ts'
import { DATABASE_FOLDER } from '../backup/manifest.ts'
import type { Report } from '../backup/reporting.ts'
import { refuseUnknownMigrations } from '../db/migrate.ts'
import { isIdentityUnchanged, recordMovedDatabase, databaseIdentity } from '../log/restored.ts'
import { join } from 'node:path'

export interface MoveOptions {
  readonly folder: string
  readonly migrations: readonly Migration[]
  readonly report: Report
  readonly signal: AbortSignal
}

export interface OldClusterDump {
  readonly dump: Dump
  /** False for a copy of a database, which the next start must still recognize as a copy. */
  readonly isInPlace: boolean
}

export async function dumpOldCluster(
  client: pg.Client,
  dataDirectory: string,
  moving: MoveOptions,
): Promise<OldClusterDump> {
  const { folder, migrations, report, signal } = moving
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('migrations') is not null and to_regclass('database_place') is not null as "isThere"`,
  )
  if (rows[0]?.isThere !== true)
    throw new Error('no server has completed its first start with it, so there is nothing to upgrade')
  const { rows: applied } = await client.query<{ name: string }>('select name from migrations')
  refuseUnknownMigrations(
    applied.map(({ name }) => name),
    migrations,
  )
  const isInPlace = await isIdentityUnchanged(client, await databaseIdentity(client, dataDirectory))
  await makeFolder(join(folder, DATABASE_FOLDER))
  return { dump: await dumpDatabase(client, folder, report, signal), isInPlace }
}

/** Loads the rows. Queues stay valid: the lock prevents new IDs. Returns skipped tables, and the PostgreSQL version. */
export async function loadNewCluster(
  client: pg.Client,
  dataDirectory: string,
  { dump, isInPlace }: OldClusterDump,
  moving: MoveOptions,
): Promise<{ readonly leftOut: readonly string[]; readonly version: string }> {
  await client.query('begin')
  const leftOut = await loadDatabase({ client, manifest: dump, ...moving })
  if (isInPlace) await recordMovedDatabase(client, await databaseIdentity(client, dataDirectory))
  await client.query('analyze')
  await client.query('commit')
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return { leftOut, version: rows[0]?.version ?? '' }
}

const MEBIBYTE = 1024 * 1024
/** Upper bound for the size of compressed rows, relative to the database's size. */
const MAX_DUMP_FRACTION = 0.5
/** `max_wal_size` of ../embedded/server.ts, plus one or two segments. */
const MAX_WAL_BYTES = 560 * MEBIBYTE

export async function sizeOfCluster(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name === 'pg_wal') continue
    const path = join(directory, entry.name)
    bytes += entry.isDirectory() ? await sizeOfCluster(path) : (await stat(path)).size
  }
  return bytes
}

/** Returns the free bytes to require. The new cluster is never larger than the old one: its indexes are rebuilt. */
export function requiredSpace(bytes: number): number {
  return bytes + bytes * MAX_DUMP_FRACTION + Math.min(bytes, MAX_WAL_BYTES)
}

export async function freeSpaceIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
