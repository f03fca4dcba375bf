import type pg from 'pg'
import { capabilities } from './capabilities.ts'
import { noteNewConsumers } from './platform/consumers/cursors.ts'
import { hasTables, migrate, requireTables } from './platform/db/migrate.ts'
import { allMigrations } from './platform/db/migrations/index.ts'
import { placeOf, recognizeRestored } from './platform/log/restored.ts'
import type { Logger } from './platform/logger.ts'

export type DatabaseUse =
  /** Reads only: nothing in the database changes, whatever its version. */
  | 'look'
  /** Writes to the tables of this version, which must exist. */
  | 'write'
  /** Like `write`, but creates tables in an empty database. */
  | 'begin'
  /** Serves requests: migrates the tables to this version. */
  | 'serve'

export interface Preparing {
  readonly use: DatabaseUse
  /** Names of this process's consumers. */
  readonly consumers: readonly string[]
  /** Set for the embedded database. */
  readonly dataDirectory: string | undefined
  readonly logger: Logger
}

/** Prepares a database before its first use. @throws Error if it cannot be used this way */
export async function prepareDatabase(
  client: pg.ClientBase,
  { use, consumers, dataDirectory, logger }: Preparing,
): Promise<void> {
  const migrations = allMigrations(capabilities)
  // Only a server migrates: an older version cannot start on the database afterwards.
  if (use === 'serve' || (use === 'begin' && !(await hasTables(client)))) {
    for (const name of await migrate(client, migrations)) logger.info({ migration: name }, 'migrated')
  } else await requireTables(client, migrations)
  if (use === 'look') return
  if (await recognizeRestored(client, await placeOf(client, dataDirectory))) {
    logger.warn({}, 'this database was restored or moved: all event queues end, and ids go on far above the last')
  }
  await noteNewConsumers(client, consumers)
}
