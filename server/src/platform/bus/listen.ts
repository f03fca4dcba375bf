import type pg from 'pg'
import { clientFor, type ConnectionOptions } from '../db/database.ts'

const RECONNECT_MILLISECONDS = 500

export interface ListenConnection {
  readonly connected: Promise<void>
  close(): Promise<void>
}

/** Listens, reconnecting forever. `connected` resolves when listening, or when a retry is scheduled. */
export function listen(
  connection: ConnectionOptions,
  onError: (error: Error) => void,
  onConnect: () => void,
  channels: Readonly<Record<string, (payload: string) => void>>,
): ListenConnection {
  let closed = false
  let client: pg.Client
  let retry: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const opened = clientFor(connection)
    client = opened
    let lost = false
    const reconnect = (error?: Error): void => {
      if (closed || lost) return
      lost = true
      if (error !== undefined) onError(error)
      retry = setTimeout(() => void connect(), RECONNECT_MILLISECONDS)
      // If only the statement failed, the connection is still open.
      opened.end().catch(() => undefined)
    }
    opened.on('error', reconnect)
    opened.on('end', () => reconnect())
    opened.on('notification', (message) => channels[message.channel]?.(message.payload ?? ''))
    try {
      await opened.connect()
      await opened.query(
        Object.keys(channels)
          .map((channel) => `listen ${channel}`)
          .join(';'),
      )
      onConnect()
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const connected = connect()
  return {
    connected,
    async close() {
      closed = true
      await connected
      clearTimeout(retry)
      await client.end().catch(() => undefined)
    },
  }
}
