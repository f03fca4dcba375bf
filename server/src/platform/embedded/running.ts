import { join, resolve } from 'node:path'
import { connectionTo, SOCKET_NAME, withClient } from './server.ts'
import { socketDirectory } from './socket-path.ts'

export interface RunningPostgres {
  /** For the `pg` driver, as `EmbeddedPostgres.connection`: for this process only. */
  readonly connection: ReturnType<typeof connectionTo>
  /** To be called after the last connection was closed. */
  readonly release: () => Promise<void>
}

/** What fails while the server starts or stops; at its first start the database is not there at once. */
const NOT_YET = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03', '3D000']

/** A cluster that is stopped in the middle, or waits for its disk, takes a connection and says nothing. */
const ANSWER_MILLISECONDS = 5_000
/** As the driver says it, which has no code for it. */
const SILENT = 'timeout expired'

/**
 * Reaches the cluster that another Parley is running on a data directory. Undefined when it does not accept
 * connections, because it is just starting or stopping, or does not answer.
 */
export async function runningPostgres(dataDirectory: string): Promise<RunningPostgres | undefined> {
  const socket = await socketDirectory(join(resolve(dataDirectory), 'postgres'), SOCKET_NAME)
  const connection = connectionTo(socket.path)
  try {
    await withClient({ ...connection, connectionTimeoutMillis: ANSWER_MILLISECONDS }, async () => {})
    return { connection, release: () => socket.release() }
  } catch (error) {
    await socket.release()
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && NOT_YET.includes(code)) return undefined
    if (error instanceof Error && error.message === SILENT) return undefined
    throw error
  }
}
