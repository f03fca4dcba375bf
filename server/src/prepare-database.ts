import type pg from 'pg'
import { capabilities } from './capabilities.ts'
import { recordNewConsumers } from './platform/consumers/cursors.ts'
import { hasTables, migrateDatabase, requireTables } from './platform/db/migrate.ts'
import { allMigrations } from './platform/db/migrations/index.ts'
import { databaseIdentity, recognizeRestoredDatabase } from './platform/log/restored.ts'
import type { Logger } from './platform/logger.ts'

export type DatabaseUse =
  /** Changes nothing, regardless of the database's version. */
  | 'look'
  /** Requires the tables of this version. */
  | 'write'
  /** Like `write`, but creates tables in an empty database. */
  | 'begin'
  /** Migrates the tables to this version. */
  | 'serve'

export interface PrepareOptions {
  readonly use: DatabaseUse
  readonly consumers: readonly string[]
  readonly dataDirectory: string | undefined
  readonly logger: Logger
}

/** @throws Error if the database cannot be used this way */
export async function prepareDatabase(
  client: pg.ClientBase,
  { use, consumers, dataDirectory, logger }: PrepareOptions,
): Promise<void> {
  const migrations = allMigrations(capabilities)
  // Only servers migrate existing tables, because older versions cannot use the database afterward.
  if (use === 'serve' || (use === 'begin' && !(await hasTables(client)))) {
    for (const name of await migrateDatabase(client, migrations)) logger.info({ migration: name }, 'migrated')
  } else await requireTables(client, migrations)
  if (use === 'look') return
  if (await recognizeRestoredDatabase(client, await databaseIdentity(client, dataDirectory))) {
    logger.warn({}, 'database was restored or moved: event queues ended and IDs skipped ahead')
  }
  await recordNewConsumers(client, consumers)
}
