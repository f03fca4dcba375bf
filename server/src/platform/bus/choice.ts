import type { ConnectionOptions, Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import type { OpenBus } from './bus.ts'
import { natsBus } from './nats.ts'
import { postgresBus } from './postgres.ts'

interface BusEvents {
  readonly failed: (error: Error) => void
  readonly logger: Pick<Logger, 'warn'>
}

/** @param url of a NATS server; undefined for LISTEN and NOTIFY */
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
      // A warning, as for the recovery: repeated errors are summarized later, and would appear after it.
      onError: (error) => logger.warn({ reason: error.message }, 'bus unreachable'),
      onBack: () => logger.warn({}, 'bus reachable again'),
    })
  }
  return postgresBus({ database, connection, isAlone, onError: failed })
}
