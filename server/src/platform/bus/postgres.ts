import type pg from 'pg'
import { clientFor, type ConnectionOptions, type Database } from '../db/database.ts'
import type { Bus, BusReport, BusListener, NodeMessage, OpenBus, PublishedEvent } from './bus.ts'
import { ephemeralSender } from './ephemeral-sender.ts'
import { dispatchNodeMessage } from './messages.ts'
import { PendingWork } from './pending-work.ts'

/** Payloads are `organization:position` for a commit and `organization:removed` for a removal. */
const LOG_CHANNEL = 'parley_log'
const ORGANIZATION_REMOVED_PAYLOAD = 'removed'
const EPHEMERAL_CHANNEL = 'parley_whispers'
const NODES_CHANNEL = 'parley_nodes'

export interface PostgresBusOptions {
  readonly database: Pick<Database, 'pool'>
  readonly connection: ConnectionOptions
  readonly isAlone: boolean
  readonly onError: (error: Error) => void
}

/** Creates a bus that needs only the database. Every process receives the messages of all organizations. */
export function postgresBus(options: PostgresBusOptions): OpenBus {
  return (listener) => new PostgresBus(options, listener)
}

class PostgresBus implements Bus {
  readonly #options: PostgresBusOptions
  readonly #listener: BusListener
  readonly #underWay: PendingWork
  readonly #sendEphemeral: (published: PublishedEvent) => Promise<void>
  #connection: ListenConnection | undefined
  #isConnected = true
  #isClosed = false
  #sent = 0
  #received = 0

  constructor(options: PostgresBusOptions, listener: BusListener) {
    this.#options = options
    this.#listener = listener
    this.#underWay = new PendingWork(options.onError)
    this.#sendEphemeral = ephemeralSender(
      (payloads) =>
        options.database.pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          EPHEMERAL_CHANNEL,
          payloads,
        ]),
      options.onError,
    )
  }

  get report(): BusReport {
    return { kind: 'postgresql', isConnected: this.#isConnected, sent: this.#sent, received: this.#received }
  }

  committed(organizationId: number, position: number): void {
    if (!this.#options.isAlone) this.#underWay.add(this.#notify(`${organizationId}:${position}`))
  }

  async removed(organizationId: number): Promise<void> {
    await this.#notify(`${organizationId}:${ORGANIZATION_REMOVED_PAYLOAD}`)
  }

  ephemeral(published: PublishedEvent): void {
    if (this.#options.isAlone) {
      this.#listener.ephemeral(published)
      return
    }
    this.#sent += 1
    this.#underWay.add(this.#sendEphemeral(published))
  }

  sendToNodes(message: NodeMessage): void {
    this.#underWay.add(this.#notify(JSON.stringify(message), NODES_CHANNEL))
  }

  async follow(): Promise<void> {
    await this.listen()
  }

  async listen(): Promise<void> {
    // Does not connect after close(), because nothing would close the connection.
    if (this.#isClosed) return
    const onConnect = (): void => {
      this.#isConnected = true
      this.#listener.connected()
    }
    const onError = (error: Error): void => {
      this.#isConnected = false
      this.#options.onError(error)
    }
    this.#connection ??= listenForNotifications(this.#options.connection, onError, onConnect, {
      [LOG_CHANNEL]: (payload) => {
        this.#received += 1
        const [organization = '', news = ''] = payload.split(':')
        if (news === ORGANIZATION_REMOVED_PAYLOAD) this.#listener.removed(Number(organization))
        else this.#listener.committed(Number(organization), Number(news))
      },
      [EPHEMERAL_CHANNEL]: (payload) => {
        this.#received += 1
        // Safe: only `ephemeral` sends on this channel.
        this.#listener.ephemeral(JSON.parse(payload) as PublishedEvent)
      },
      [NODES_CHANNEL]: (payload) => {
        this.#received += 1
        dispatchNodeMessage(this.#listener, payload)
      },
    })
    await this.#connection.connected
  }

  unfollow(): void {
    // Nothing to do: one connection serves all organizations.
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#connection?.close()
    await this.#underWay.end()
  }

  async #notify(payload: string, channel = LOG_CHANNEL): Promise<void> {
    this.#sent += 1
    await this.#options.database.pool.query('select pg_notify($1, $2)', [channel, payload])
  }
}

const RECONNECT_DELAY_MILLISECONDS = 500

interface ListenConnection {
  readonly connected: Promise<void>
  close(): Promise<void>
}

/** Listens, reconnecting forever. `connected` resolves when listening, or when a retry is scheduled. */
function listenForNotifications(
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
      retry = setTimeout(() => void connect(), RECONNECT_DELAY_MILLISECONDS)
      // Closes the connection, which is still open if only the statement failed.
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
