import type { ConnectionOptions, Database } from '../db/database.ts'
import type { OpenBus } from './bus.ts'
import { natsBus } from './nats.ts'
import { postgresBus } from './postgres.ts'

/**
 * How processes on one database hear of each other.
 * @param url of a NATS server; undefined for LISTEN and NOTIFY
 * @param failed reports what is wrong with what
 */
export function busFor(
  url: string | undefined,
  connection: ConnectionOptions,
  database: Database,
  isAlone: boolean,
  failed: (what: string) => (error: Error) => void,
): OpenBus {
  if (url !== undefined) return natsBus({ url, reads: database.reads, onError: failed('bus') })
  return postgresBus({ database, connection, isAlone, onError: failed('database connection') })
}
