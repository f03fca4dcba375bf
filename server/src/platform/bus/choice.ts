import type { ConnectionOptions, Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import type { OpenBus } from './bus.ts'
import { natsBus } from './nats.ts'
import { postgresBus } from './postgres.ts'

/** What hears of what goes wrong. */
interface BusEvents {
  /** A connection to the database that listens. */
  readonly failed: (error: Error) => void
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * How processes on one database hear of each other.
 * @param url of a NATS server; undefined for LISTEN and NOTIFY
 */
export function busFor(
  url: string | undefined,
  connection: ConnectionOptions,
  database: Database,
  isAlone: boolean,
  { failed, logger }: BusEvents,
): OpenBus {
  if (url !== undefined) {
    return natsBus({
      url,
      reads: database.reads,
      // By the same way as that it is back: what is counted there and said later would come after it.
      onError: (error) => logger.warn({ reason: error.message }, 'the bus is away'),
      onBack: () => logger.warn({}, 'the bus is back'),
    })
  }
  return postgresBus({ database, connection, isAlone, onError: failed })
}
