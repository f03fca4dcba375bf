import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { createLogger } from '../platform/logger.ts'
import { openStore, serve, type Parley, type Store } from '../start.ts'
import { Complaint, orComplain } from './command.ts'
import { startDatabase } from './database.ts'
import { orCannotListen } from './port.ts'

/** What still runs after this long is cut off, since an administrator who stops a server does not wait for its clients. */
const LONGEST_STOP_MILLISECONDS = 2_000

/**
 * Runs a server from its database up, and takes everything down again in reverse.
 * @param prepare makes what must be there before the first request
 * @param run lasts as long as the server shall
 * @param stopping ends the wait for a database that is not there yet
 */
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
      const ready = orComplain(store.ready, `Cannot use ${database.description}`)
      const prepared = ready.then(async () => prepare(store))
      const serving = serve(store, config, logger, prepared)
      // It fails with what it waits for, which is told as what it is.
      serving.catch(() => undefined)
      const made = await prepared
      const parley = await orCannotListen(serving, config)
      close = async () => parley.close()
      await Promise.race([run(parley, made, database.description), parley.lost.then(refuseLost)])
    } finally {
      await Promise.race([close(), sleep(LONGEST_STOP_MILLISECONDS, undefined, { ref: false })])
    }
  } finally {
    await database.close()
  }
}

/** What this process knows is not in the database any more, and it is not known where that begins. */
function refuseLost(): never {
  throw new Complaint(
    'The database lacks what it had acknowledged, as after a failover to a standby that was behind. Event queues have ended, and ids go on far above all that were given out. Start the server again.',
  )
}
