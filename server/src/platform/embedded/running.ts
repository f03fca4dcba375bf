import { join, resolve } from 'node:path'
import pg from 'pg'
import { connectionTo, NOT_YET, SOCKET_NAME } from './server.ts'
import { socketDirectory } from './socket-path.ts'

export interface RunningPostgres {
  /** For the `pg` driver, as `EmbeddedPostgres.connection`: for this process only. */
  readonly connection: ReturnType<typeof connectionTo>
  /** To be called after the last connection was closed. */
  readonly release: () => Promise<void>
}

/** While a cluster starts, its database may not have been made yet. */
const NO_SUCH_DATABASE = '3D000'

/**
 * Reaches the cluster that another Parley is running on a data directory. Undefined when it does not accept
 * connections, because it is just starting or stopping.
 */
export async function runningPostgres(dataDirectory: string): Promise<RunningPostgres | undefined> {
  const socket = await socketDirectory(join(resolve(dataDirectory), 'postgres'), SOCKET_NAME)
  const connection = connectionTo(socket.path)
  const client = new pg.Client({ ...connection, ssl: false })
  // A connection lost between two steps fails the next step; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return { connection, release: () => socket.release() }
  } catch (error) {
    await socket.release()
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && [...NOT_YET, NO_SUCH_DATABASE].includes(code)) return undefined
    throw error
  } finally {
    await client.end()
  }
}
