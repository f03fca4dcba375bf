import { resolve } from 'node:path'
import { findOrganization } from '../capabilities/organizations/queries/index.ts'
import { userByEmail, type UserRow } from '../capabilities/users/queries/index.ts'
import type { Config } from '../config.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import { isFullDatabase } from '../platform/db/unavailable.ts'
import type { OrganizationLog } from '../platform/log/organization-log.ts'
import { createLogger } from '../platform/logger.ts'
import { NoTables } from '../platform/db/migrate.ts'
import type { DatabaseUse } from '../preparing.ts'
import { openStore, type Store } from '../start.ts'
import { Complaint, configOf, orComplain, type Terminal } from './command.ts'
import { databaseAside, reachDatabase, type OpenedDatabase } from './database.ts'
import { roomComplaint } from './room.ts'
import { asServed, refuseOtherFiles } from './served.ts'

/** For a person who presses Ctrl-C. */
const GOES_ON = 'The command goes on to its end. Ctrl-C once more cuts it off.'

/** How folders in TMPDIR begin in which a database is made that is thrown away again. */
const ASIDE = 'parley-store'

interface StoreOptions {
  /** What is done with the database; otherwise it is written to. */
  readonly use?: DatabaseUse
  /** In place of the database that the settings name, one is made in TMPDIR, and removed at the end. */
  readonly isAside?: boolean
  /** The work itself ends at Ctrl-C, and says so. Other work goes on to its end. */
  readonly isStoppable?: boolean
}

/**
 * Does one piece of work on what the server runs on, whether it runs or not, and closes everything again. When it
 * returns, a running server has been told.
 */
export async function withStore<Result>(
  terminal: Terminal,
  work: (store: Store, config: Config, database: OpenedDatabase) => Promise<Result>,
  { use = 'write', isAside = false, isStoppable = false }: StoreOptions = {},
): Promise<Result> {
  const config = configOf(terminal)
  const logger = createLogger(config.PARLEY_LOG_LEVEL, 'stderr')
  // Cut off half-way, it would leave the database it started running. It takes no longer than stopping would.
  const signal = terminal.stopSignal()
  if (!isStoppable) signal.addEventListener('abort', () => terminal.warn(GOES_ON))
  const database = await (isAside ? databaseAside(ASIDE, logger) : reachDatabase(config, logger))
  try {
    await refuseOtherFiles(config)
    const store = openStore(database.connection, config, logger, { ...database, shared: true, use })
    try {
      await orComplain(store.ready, `Cannot use ${database.description}`)
      return await work(store, await asServed(config), database)
    } catch (error) {
      // The work itself says it where it knows more.
      if (error instanceof Complaint) throw error
      const place = isFullDatabase(error) ? database.description : resolve(config.PARLEY_DATA_DIR)
      throw roomComplaint(error, place, 'What the command had not done by then was not done.') ?? error
    } finally {
      await store.close()
    }
  } finally {
    await database.close()
  }
}

/** Whether a command could not use a database because no server has ever started on it. */
export function isWithoutTables(error: unknown): boolean {
  return error instanceof Complaint && error.cause instanceof NoTables
}

/** What names an organization on the command line. */
export const organizationOption = { organization: { type: 'string', default: '' } } as const

export const ORGANIZATION_USAGE = `  --organization SUBDOMAIN   which organization, where there are several; otherwise the one without a subdomain`

export const NO_ORGANIZATION =
  'There is no organization yet; `parley start` prints a link with which its owner sets it up.'

/** The log of the organization with a subdomain. */
export async function organizationNamed(store: Store, subdomain: string): Promise<OrganizationLog> {
  const found = await findOrganization(store.database.kysely, subdomain)
  if (found !== undefined) return store.logs.of(found.id)
  throw new Complaint(
    subdomain === '' ? NO_ORGANIZATION : `There is no organization with the subdomain '${subdomain}'.`,
  )
}

export function userNamed(organization: OrganizationState, email: string): UserRow {
  const user = userByEmail(organization, email)
  // The server's own bot is nobody's account.
  if (user === undefined || user.isSystemBot) throw new Complaint(`There is no user with the address ${email}.`)
  return user
}
