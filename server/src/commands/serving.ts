import { setTimeout as sleep } from 'node:timers/promises'
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
  // PostgreSQL starts while the rest of the program is loaded.
  const loading = import('../start.ts')
  const logging = loading.then(({ createLogger }) => createLogger(config.PARLEY_LOG_LEVEL))
  logging.catch(() => undefined)
  const database = await startDatabase(config, databaseLog(logging))
  try {
    const { openStore, serve } = await loading
    const logger = await logging
    const opening = openStore(database.connection, config, logger, database)
    const store = await orComplain(opening, `Cannot use ${database.description}`)
    let close = async (): Promise<void> => store.close()
    try {
      const prepared = await prepare(store)
      const parley = await listening(serve(store, config, logger), config)
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
