import type pg from 'pg'
import { capabilities } from './capabilities.ts'
import { noteNewConsumers } from './platform/consumers/cursors.ts'
import { hasTables, migrate, requireTables } from './platform/db/migrate.ts'
import { allMigrations } from './platform/db/migrations/index.ts'
import { placeOf, recognizeRestored } from './platform/log/restored.ts'
import type { Logger } from './platform/logger.ts'

/** What a process does with the database that it opens. */
export type DatabaseUse =
  /** Only looks: nothing in the database is changed, whichever it is. */
  | 'look'
  /** Writes into the tables of this version, which have to be there. */
  | 'write'
  /** The same, and an empty database gets its tables first. */
  | 'begin'
  /** Serves: the tables become what this version needs. */
  | 'serve'

export interface Preparing {
  readonly use: DatabaseUse
  /** The names of the consumers that this process has. */
  readonly consumers: readonly string[]
  /** Of the embedded database. */
  readonly dataDirectory: string | undefined
  readonly logger: Logger
}

/** Prepares a database for a process, before anything else is asked of it. @throws Error where it cannot be used so */
export async function prepareDatabase(
  client: pg.ClientBase,
  { use, consumers, dataDirectory, logger }: Preparing,
): Promise<void> {
  const migrations = allMigrations(capabilities)
  // An older version that still serves a database cannot start on it any more once a newer one has changed its tables.
  if (use === 'serve' || (use === 'begin' && !(await hasTables(client)))) {
    for (const name of await migrate(client, migrations)) logger.info({ migration: name }, 'migrated')
  } else await requireTables(client, migrations)
  if (use === 'look') return
  if (await recognizeRestored(client, await placeOf(client, dataDirectory))) {
    logger.warn({}, 'this database was restored or moved: all event queues end, and ids go on far above the last')
  }
  await noteNewConsumers(client, consumers)
}
