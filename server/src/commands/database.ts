import { rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config.ts'
import { messageOf } from '../kernel/phrases.ts'
import { requireCompleteRestore } from '../platform/backup/restore.ts'
import { clientFor, type ConnectionOptions } from '../platform/db/database.ts'
import { primaryClient, splitUrlByHost } from '../platform/db/hosts.ts'
import { isUnavailable } from '../platform/db/unavailable.ts'
import {
  DataDirectoryInUseError,
  openEmbeddedPostgres,
  makeTemporaryData,
  refuseForeignData,
  findRunningPostgres,
  startOlderPostgres,
  type InstalledPackage,
} from '../platform/embedded/index.ts'
import { makeFolder } from '../platform/folders.ts'
import type { Logger } from '../platform/logger.ts'
import { isUpgradeInterrupted } from '../platform/upgrading/exchange.ts'
import { CliError, isErrorWithCode, toCliError } from './command.ts'

export interface OpenedDatabase {
  readonly connection: ConnectionOptions
  /** Whether other processes can write to the database while this one uses it. */
  readonly shared: boolean
  readonly dataDirectory?: string
  readonly description: string
  close(): Promise<void>
}

interface DataDirectory {
  readonly dataDirectory: string
}

/** Matches PostgreSQL's routine messages, and refused connections at start and stop, which `outage.ts` logs once. */
const ROUTINE_MESSAGE_PATTERN =
  /^postgres: (?:LOG|FATAL: +(?:connection to client lost|the database system is ))|^PostgreSQL cannot be run in node_modules|too long for a socket/

/** Maximum wait for the lock that another starting server holds. */
const LOCK_WAIT_TIMEOUT_MILLISECONDS = 20_000
const LOCK_POLL_INTERVAL_MILLISECONDS = 50
const DISCONNECT_TIMEOUT_MILLISECONDS = 1_000
const DATABASE_POLL_INTERVAL_MILLISECONDS = 250

export async function startDatabase(config: Config, logger: Logger, stopping: AbortSignal): Promise<OpenedDatabase> {
  await refuseUnusable(config.PARLEY_DATA_DIR)
  const external = externalDatabase(config)
  if (external === undefined) return toCliError(embeddedDatabase(config.PARLEY_DATA_DIR, logger))
  // Keys and uploads are stored in this folder even with an external database.
  const directory = resolve(config.PARLEY_DATA_DIR)
  await toCliError(makeFolder(directory), `Cannot create the data directory ${directory}`)
  await awaitDatabase(external, config, logger, stopping)
  return external
}

export async function openOrJoinDatabase(config: Config, logger: Logger): Promise<OpenedDatabase> {
  await refuseUnusable(config.PARLEY_DATA_DIR)
  return externalDatabase(config) ?? toCliError(openOrJoinEmbedded(config.PARLEY_DATA_DIR, logger))
}

export async function openNewDatabase(config: Config, logger: Logger): Promise<OpenedDatabase> {
  return externalDatabase(config) ?? toCliError(embeddedDatabase(config.PARLEY_DATA_DIR, logger))
}

/** Creates a database in TMPDIR that is deleted when closed. `kind` is the prefix of the folder's name. */
export async function createTemporaryDatabase(kind: string, logger: Logger): Promise<OpenedDatabase & DataDirectory> {
  const folder = await toCliError(makeTemporaryData(kind))
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const database = await toCliError(embeddedDatabase(folder, logger))
    return {
      ...database,
      dataDirectory: folder,
      async close() {
        try {
          await database.close()
        } finally {
          await remove()
        }
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

export async function startOlderDatabase(
  dataDirectory: string,
  older: InstalledPackage,
  logger: Logger,
): Promise<OpenedDatabase> {
  return toCliError(embeddedDatabase(dataDirectory, logger, async (options) => startOlderPostgres(options, older)))
}

export async function withConnection<Result>(
  { connection, description }: OpenedDatabase,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = clientFor(connection)
  client.on('error', () => undefined)
  await toCliError(client.connect(), `Cannot use ${description}`)
  try {
    return await work(client)
  } finally {
    // Waits only briefly, because the connection can still be running an interrupted COPY.
    await Promise.race([client.end(), sleep(DISCONNECT_TIMEOUT_MILLISECONDS, undefined, { ref: false })])
  }
}

async function refuseUnusable(dataDirectory: string): Promise<void> {
  await refuseForeignOrRestoring(dataDirectory)
  if (!isUpgradeInterrupted(dataDirectory)) return
  throw new CliError(
    `An upgrade of the database in ${resolve(dataDirectory)} was interrupted at the last step. Run \`parley upgrade-database\` again to finish it.`,
  )
}

export async function refuseForeignOrRestoring(dataDirectory: string): Promise<void> {
  await toCliError(refuseForeignData(dataDirectory))
  await toCliError(requireCompleteRestore(dataDirectory))
}

/** Waits for a database that is still starting, for example after a reboot. */
async function awaitDatabase(
  { connection, description }: OpenedDatabase,
  { PARLEY_DATABASE_WAIT_SECONDS: seconds }: Config,
  logger: Logger,
  stopping: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  for (let attempts = 1; ; attempts += 1) {
    const failure = await findConnectionError(connection)
    if (failure === undefined) return
    const reason = messageOf(failure)
    if (!isUnavailable(failure) || performance.now() >= deadline) {
      throw new CliError(`Cannot use ${description}: ${reason}`, { cause: failure })
    }
    if (attempts === 1) logger.warn({ reason, seconds }, 'waiting for the database')
    await sleep(DATABASE_POLL_INTERVAL_MILLISECONDS, undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted) throw new CliError(`Stopped while waiting for ${description}: ${reason}`)
  }
}

async function findConnectionError(connection: ConnectionOptions): Promise<unknown> {
  const client = clientFor(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return undefined
  } catch (error) {
    return error
  }
}

const MALFORMED_URL_MESSAGE =
  'DATABASE_URL: must be like postgres://user:password@host:5432/database, or for several hosts postgres://user:password@one:5432,two:5432/database.'

/** Parses `DATABASE_URL`. Of several hosts, uses the one that accepts writes: the driver supports only one host. */
function parseConnection(url: string): ConnectionOptions {
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new CliError(MALFORMED_URL_MESSAGE)
  const urls = splitUrlByHost(url)
  const hosts = urls.map((one) => {
    try {
      const { host, port } = new pg.Client({ connectionString: one })
      return { host, port }
    } catch {
      throw new CliError(MALFORMED_URL_MESSAGE)
    }
  })
  // Refuses several hosts in one URL, which the driver would treat as one host name.
  if (hosts.some(({ host }) => host.includes(','))) throw new CliError(MALFORMED_URL_MESSAGE)
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1]
  if (wanted !== undefined && wanted !== 'read-write' && wanted !== 'primary') {
    throw new CliError('DATABASE_URL: target_session_attrs must be read-write.')
  }
  const connection = { connectionString: urls[0] ?? url }
  if (hosts.length === 1 && wanted === undefined) return connection
  return { ...connection, Client: primaryClient(connection, hosts) }
}

function externalDatabase(config: Config): OpenedDatabase | undefined {
  if (config.DATABASE_URL === undefined) return undefined
  return {
    connection: parseConnection(config.DATABASE_URL),
    shared: true,
    description: 'the PostgreSQL at DATABASE_URL',
    close: async () => {},
  }
}

async function embeddedDatabase(
  dataDirectory: string,
  logger: Logger,
  start: typeof openEmbeddedPostgres = openEmbeddedPostgres,
): Promise<OpenedDatabase> {
  let closing = false
  const postgres = await start({
    dataDirectory,
    // Does not warn while stopping, because PostgreSQL then reports each connection that it closes.
    log: (message, details = {}) =>
      logger[closing || ROUTINE_MESSAGE_PATTERN.test(message) ? 'info' : 'warn'](details, message),
  })
  return {
    connection: postgres.connection,
    shared: false,
    dataDirectory,
    description: `the embedded PostgreSQL in ${resolve(dataDirectory)}`,
    async close() {
      closing = true
      await postgres.stop()
    },
  }
}

async function openOrJoinEmbedded(dataDirectory: string, logger: Logger): Promise<OpenedDatabase> {
  await requireDatabaseFolder(dataDirectory)
  const deadline = performance.now() + LOCK_WAIT_TIMEOUT_MILLISECONDS
  for (;;) {
    try {
      return await embeddedDatabase(dataDirectory, logger)
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError)) throw error
      const running = await findRunningPostgres(dataDirectory)
      if (running !== undefined) {
        const { connection, release } = running
        return {
          connection,
          shared: true,
          dataDirectory,
          description: `the running server's PostgreSQL in ${resolve(dataDirectory)}`,
          close: release,
        }
      }
      if (performance.now() > deadline)
        throw new CliError(`${error.message}, but its database is not responding.`, { cause: error })
    }
    await sleep(LOCK_POLL_INTERVAL_MILLISECONDS)
  }
}

/** Refuses a missing folder: the command probably runs in a different directory than the server. */
export async function requireDatabaseFolder(dataDirectory: string): Promise<void> {
  try {
    await stat(join(dataDirectory, 'postgres/data'))
  } catch (error) {
    if (!isErrorWithCode(error, ['ENOENT'])) throw error
    throw new CliError(
      `No database in ${resolve(dataDirectory)}. Check PARLEY_DATA_DIR, or run \`parley start\` to create one.`,
      { cause: error },
    )
  }
}
