import { join, resolve } from 'node:path'
import { connectionTo, SOCKET_NAME, withClient } from './server.ts'
import { socketDirectory } from './socket-path.ts'

export interface RunningPostgres {
  readonly connection: ReturnType<typeof connectionTo>
  readonly release: () => Promise<void>
}

/** Errors during startup and shutdown, including a missing database. */
const NOT_YET = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03', '3D000']

/** A suspended cluster accepts connections without answering. */
const ANSWER_MILLISECONDS = 5_000
/** The driver's message; the error has no code. */
const SILENT = 'timeout expired'

/** Undefined if the cluster is starting, stopping, or not answering. */
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
