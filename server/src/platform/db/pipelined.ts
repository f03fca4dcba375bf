import type { Socket } from 'node:net'
import pg from 'pg'
import { stopwatch } from '../../kernel/steady-time.ts'
import type { Db } from '../../kernel/transaction.ts'

/** What a statement has done to the connection of `reads`, as long as that lives. */
export interface Holding {
  /** When it was done, by `stopwatch`; undefined while there is no connection. */
  readonly since: number | undefined
}

/** A connection for reads, and what each that takes its place has to do first. */
export interface PipelinedReads extends Db {
  hold(text: string): Promise<Holding>
  /** Gives up the connection that there is, and with it what waits there. */
  abandon(): void
  close(): Promise<void>
}

/** What hears of the connection. */
export interface ReadsEvents {
  readonly onError: (error: Error) => void
  /** Is given each connection before all others, which wait for it. */
  readonly onConnect?: ((client: pg.Client) => Promise<void>) | undefined
  /** Hears that what the connection before has seen says nothing of the next, and why it was lost or could not be made. */
  readonly onLost?: ((error: unknown) => void) | undefined
}

/**
 * One connection with many statements in flight: a round trip is shared by all that are waiting (measured: 2.3 times
 * the reads of a pool). Reconnects at the next statement after the connection was lost.
 */
export function pipelinedReads(
  options: pg.ClientConfig & { readonly Client?: typeof pg.Client },
  { onError, onConnect, onLost }: ReadsEvents,
): PipelinedReads {
  let current: Promise<pg.Client> | undefined
  let held: string | undefined
  let since: number | undefined
  const connect = (): Promise<pg.Client> => {
    const { Client = pg.Client } = options
    const client = new Client({ ...options, pipeline: true })
    const forget = (error: unknown): void => {
      if (current !== opening) return
      current = undefined
      since = undefined
      onLost?.(error)
    }
    client.on('error', (error) => {
      forget(error)
      onError(error)
    })
    client.on('end', () => forget(new Error('the connection was ended')))
    const opening = (async () => {
      try {
        await client.connect()
        await onConnect?.(client)
        if (held !== undefined) await hold(client, held)
        return client
      } catch (error) {
        forget(error)
        // Where only the statement failed, the connection is still there.
        client.end().catch(() => undefined)
        throw error
      }
    })()
    return opening
  }
  const hold = async (client: pg.Client, text: string): Promise<void> => {
    await client.query(text)
    since = stopwatch.now()
  }
  const connected = async (): Promise<pg.Client> => (current ??= connect())
  return {
    async rows<Row>(name: string, text: string, values: readonly unknown[]) {
      const client = await connected()
      sendTogether(client)
      const result = await client.query({ name, text, values: [...values] })
      // The statement's author states its row type, as with every SQL text.
      return result.rows as Row[]
    },
    async hold(text) {
      held = text
      const client = await connected()
      if (since === undefined) await hold(client, text)
      return {
        get since() {
          return since
        },
      }
    },
    abandon() {
      current?.then(
        (client) => streamOf(client).destroy(),
        () => undefined,
      )
    },
    async close() {
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}

/** Clients whose statements wait for the end of this turn of the event loop. */
const corked = new WeakSet<pg.ClientBase>()

/** The statements of this turn of the event loop go out at its end in one piece: each by itself costs a system call. */
export function sendTogether(client: pg.ClientBase): void {
  if (corked.has(client)) return
  const stream = streamOf(client)
  corked.add(client)
  stream.cork()
  setImmediate(() => {
    corked.delete(client)
    stream.uncork()
  })
}

function streamOf(client: pg.ClientBase): Socket {
  // Its declaration leaves the connection out.
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream
}
