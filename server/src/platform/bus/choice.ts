import type { ConnectionOptions, Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import type { OpenBus } from './bus.ts'
import { natsBus } from './nats.ts'
import { postgresBus } from './postgres.ts'

interface BusEvents {
  readonly failed: (error: Error) => void
  readonly logger: Pick<Logger, 'warn'>
}

/** @param url URL of a NATS server; undefined to use PostgreSQL's LISTEN and NOTIFY */
export function chooseBus(
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
      // Logged as a warning, because the logger withholds repeated errors, possibly until after the recovery.
      onError: (error) => logger.warn({ reason: error.message }, 'bus unreachable'),
      onBack: () => logger.warn({}, 'bus reachable again'),
    })
  }
  return postgresBus({ database, connection, isAlone, onError: failed })
}
