import { resolve } from 'node:path'
import { findOrganization } from '../capabilities/organizations/queries/index.ts'
import { userByEmail, type UserRow } from '../capabilities/users/queries/index.ts'
import type { Config } from '../config.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import { isFullDatabase } from '../platform/db/unavailable.ts'
import type { OrganizationLog } from '../platform/log/organization-log.ts'
import { createLogger } from '../platform/logger.ts'
import { NoTablesError } from '../platform/db/migrate.ts'
import type { DatabaseUse } from '../prepare-database.ts'
import { openStore, type Store } from '../start.ts'
import { CliError, loadConfig, toCliError, spaceError, type Terminal } from './command.ts'
import { createTemporaryDatabase, openOrJoinDatabase, type OpenedDatabase } from './database.ts'
import { withServedSettings, refuseOtherFiles } from './served.ts'

const FINISHING_NOTICE = 'Finishing. Press Ctrl-C again to abort.'

const FOLDER_PREFIX = 'parley-store'

interface StoreOptions {
  readonly use?: DatabaseUse
  readonly isAside?: boolean
  /** Whether the work stops on Ctrl-C. Otherwise, it continues to the end. */
  readonly isStoppable?: boolean
}

/** Runs work on the store, with or without a running server. Notifies a running server before the promise resolves. */
export async function withStore<Result>(
  terminal: Terminal,
  work: (store: Store, config: Config, database: OpenedDatabase) => Promise<Result>,
  { use = 'write', isAside = false, isStoppable = false }: StoreOptions = {},
): Promise<Result> {
  const config = loadConfig(terminal)
  const logger = createLogger(config.PARLEY_LOG_LEVEL, 'stderr')
  // Handles Ctrl-C, so that a database started by the command does not keep running.
  const signal = terminal.stopSignal()
  if (!isStoppable) signal.addEventListener('abort', () => terminal.warn(FINISHING_NOTICE))
  const database = await (isAside ? createTemporaryDatabase(FOLDER_PREFIX, logger) : openOrJoinDatabase(config, logger))
  try {
    await refuseOtherFiles(config)
    const store = openStore(database.connection, config, logger, { ...database, shared: true, use })
    try {
      await toCliError(store.ready, `Cannot use ${database.description}`)
      return await work(store, await withServedSettings(config), database)
    } catch (error) {
      // A `CliError` already has a more precise message.
      if (error instanceof CliError) throw error
      const place = isFullDatabase(error) ? database.description : resolve(config.PARLEY_DATA_DIR)
      throw spaceError(error, place, 'The command did not finish.') ?? error
    } finally {
      await store.close()
    }
  } finally {
    await database.close()
  }
}

export function isNoTablesError(error: unknown): boolean {
  return error instanceof CliError && error.cause instanceof NoTablesError
}

export const organizationOption = { organization: { type: 'string', default: '' } } as const

export const ORGANIZATION_USAGE = `  --organization SUBDOMAIN   subdomain of the organization (default: the one without a subdomain)`

export const NO_ORGANIZATION_MESSAGE =
  'No organization exists yet. Run `parley start` and open the setup link that it prints.'

export async function requireOrganization(store: Store, subdomain: string): Promise<OrganizationLog> {
  const found = await findOrganization(store.database.kysely, subdomain)
  if (found !== undefined) return store.logs.of(found.id)
  throw new CliError(subdomain === '' ? NO_ORGANIZATION_MESSAGE : `No organization has the subdomain '${subdomain}'.`)
}

export function requireUser(organization: OrganizationState, email: string): UserRow {
  const user = userByEmail(organization, email)
  // Hides the notification bot, which is not a regular account.
  if (user === undefined || user.isSystemBot) throw new CliError(`No user has the email ${email}.`)
  return user
}
