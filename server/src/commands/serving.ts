import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Parley, Store } from '../start.ts'
import { Complaint, isErrorWithCode, orComplain } from './command.ts'
import { databaseLog, startDatabase } from './database.ts'

/** What still runs after this long is cut off: whoever stops a server does not wait for its clients. */
const LONGEST_STOP_MILLISECONDS = 2_000

/**
 * Runs a server from its database up, and takes everything down again in reverse.
 * @param prepare makes what must be there before anybody can ask for it
 * @param run lasts as long as the server shall
 */
export async function withServer<Prepared>(
  config: Config,
  prepare: (store: Store) => Promise<Prepared>,
  run: (parley: Parley, prepared: Prepared, database: string) => Promise<void>,
): Promise<void> {
  // Loaded while PostgreSQL starts on another core.
  const load = () => import('../start.ts')
  let logger: Promise<Logger> | undefined
  const logging = () => (logger ??= load().then(({ createLogger }) => createLogger(config.PARLEY_LOG_LEVEL)))
  const database = await startDatabase(config, databaseLog(logging), () => void load().catch(() => undefined))
  try {
    const { openStore, serve } = await load()
    const log = await logging()
    const opening = openStore(database.connection, config, log, database)
    const store = await orComplain(opening, `Cannot use ${database.description}`)
    let close = async (): Promise<void> => store.close()
    try {
      const prepared = await prepare(store)
      const parley = await listening(serve(store, config, log), config)
      close = async () => parley.close()
      await run(parley, prepared, database.description)
    } finally {
      await Promise.race([close(), sleep(LONGEST_STOP_MILLISECONDS, undefined, { ref: false })])
    }
  } finally {
    await database.close()
  }
}

/** An address that cannot be listened on is the person's to change. */
async function listening<Result>(serving: Promise<Result>, config: Config): Promise<Result> {
  try {
    return await serving
  } catch (error) {
    if (!isErrorWithCode(error, ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])) throw error
    throw new Complaint(`Cannot listen where HOST and PORT say, ${config.HOST}:${config.PORT}: ${error.message}`, {
      cause: error,
    })
  }
}
