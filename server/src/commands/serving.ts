import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { createLogger } from '../platform/logger.ts'
import { openStore, serve, type Parley, type Store } from '../start.ts'
import { CliError, toCliError, isErrorWithCode } from './command.ts'
import { startDatabase } from './database.ts'

/** An administrator who stops a server should not have to wait for its clients. */
const STOP_TIMEOUT_MILLISECONDS = 2_000

/** Runs `prepare`, starts to serve requests, and stops after `run`. `stopping` ends the wait for a database. */
export async function withServer<Prepared>(
  config: Config,
  prepare: (store: Store) => Promise<Prepared>,
  run: (parley: Parley, prepared: Prepared, database: string) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  const logger = createLogger(config.PARLEY_LOG_LEVEL)
  const database = await startDatabase(config, logger, stopping)
  try {
    const store = openStore(database.connection, config, logger, database)
    let close = async (): Promise<void> => store.close()
    try {
      const ready = toCliError(store.ready, `Cannot use ${database.description}`)
      const prepared = ready.then(async () => prepare(store))
      const serving = serve(store, config, logger, prepared)
      // If `prepared` rejects, `serving` rejects with the same error, which `await prepared` already reports.
      serving.catch(() => undefined)
      const made = await prepared
      const parley = await toListenError(serving, config)
      close = async () => parley.close()
      await Promise.race([run(parley, made, database.description), parley.lost.then(throwDataLossError)])
    } finally {
      await Promise.race([close(), sleep(STOP_TIMEOUT_MILLISECONDS, undefined, { ref: false })])
    }
  } finally {
    await database.close()
  }
}

/** Fails, because the server's state includes events that the database has lost. */
function throwDataLossError(): never {
  throw new CliError(
    'The database lost acknowledged changes, as after a failover to a lagging standby. Event queues have ended, and new IDs continue above all earlier ones. Start the server again.',
  )
}

type ListenAddress = Pick<Config, 'HOST' | 'PORT'>

/** Fails if the port is taken. Call this before creating anything that only a server needs. */
export async function requireFreePort(config: ListenAddress): Promise<void> {
  const probe = createServer().listen({ host: config.HOST, port: config.PORT })
  await toListenError(once(probe, 'listening'), config)
  await once(probe.close(), 'close')
}

async function toListenError<Result>(listening: Promise<Result>, { HOST, PORT }: ListenAddress): Promise<Result> {
  try {
    return await listening
  } catch (error) {
    if (!isErrorWithCode(error, ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])) throw error
    throw new CliError(`Cannot listen on HOST and PORT ${HOST}:${PORT}: ${error.message}`, { cause: error })
  }
}
