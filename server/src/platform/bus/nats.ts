import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Db } from '../../kernel/transaction.ts'
import type { Bus, BusReport, Hearing, OpenBus, PublishedEvent } from './bus.ts'
import { committedMessage, ephemeralMessage, hear, removedMessage } from './messages.ts'
import { refused, serversOf, type BusServers } from './nats-servers.ts'
import { UnderWay } from './under-way.ts'

const RECONNECT_MILLISECONDS = 500
const CONNECT_MILLISECONDS = 2_000
/** What waits for the server of the bus goes on without it after this long: it may have frozen. */
const FLUSH_MILLISECONDS = 1_000
/** A server that does not answer two of these in turn is gone. */
const PING_MILLISECONDS = 3_000
const PINGS = 2

export interface NatsBusOptions {
  /** The value of `BUS_URL`. */
  readonly url: string
  readonly reads: Db
  readonly onError: (error: Error) => void
}

/** The bus that asks the database for nothing: a subject of a NATS server for each organization. */
export function natsBus(options: NatsBusOptions): OpenBus {
  return (hearing) => new NatsBus(options, hearing)
}

/**
 * Which database it is, in all ways that lead there, and also behind another address after its primary was switched: several may have
 * one bus.
 */
const DATABASE = `
  select concat(system_identifier, '-', d.oid) as name
  from pg_control_system(), pg_database d where d.datname = current_database()`

/** Connects once. @throws what the client says */
async function connectTo({ options }: BusServers): Promise<NatsConnection> {
  // Most servers have no bus, and start without it.
  const { connect } = await import('@nats-io/transport-node')
  return connect({
    ...options,
    name: 'parley',
    // `stayConnected` does that, and says each time what was missed.
    reconnect: false,
    timeout: CONNECT_MILLISECONDS,
    pingInterval: PING_MILLISECONDS,
    maxPingOut: PINGS,
  })
}

/** Connects to a bus and leaves it again. @returns why that cannot be done, in a sentence */
export async function tryBus(url: string): Promise<string | undefined> {
  const servers = serversOf(url)
  try {
    const connection = await connectTo(servers)
    await connection.close()
    return undefined
  } catch (error) {
    return refused(servers, error)
  }
}

class NatsBus implements Bus {
  readonly #options: NatsBusOptions
  readonly #servers: BusServers
  readonly #hearing: Hearing
  readonly #underWay: UnderWay
  /** The organizations that it hears of, or shall; and how, while it is connected. */
  readonly #followed = new Map<number, Subscription | undefined>()
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  /** Resolves when it has been tried once to connect: what is said before waits for that. */
  readonly #tried: Promise<void>
  #hasTried: () => void = () => undefined
  #prefix = ''
  #connection: NatsConnection | undefined
  /** What was reported last, which is not said again and again. */
  #told = ''
  #sent = 0
  #received = 0

  constructor(options: NatsBusOptions, hearing: Hearing) {
    this.#options = options
    this.#servers = serversOf(options.url)
    this.#hearing = hearing
    this.#underWay = new UnderWay(options.onError)
    this.#tried = new Promise((resolve) => {
      this.#hasTried = resolve
    })
    this.#running = this.#stayConnected()
  }

  get report(): BusReport {
    const isConnected = this.#connection !== undefined
    return { kind: 'nats', isConnected, sent: this.#sent, received: this.#received }
  }

  committed(organizationId: number, position: number): void {
    this.#say(organizationId, committedMessage(position))
  }

  async removed(organizationId: number): Promise<void> {
    await this.#tried
    this.#publish(organizationId, removedMessage())
    await this.#flush()
  }

  /** It comes back from the bus, as to all others, while there is one. */
  ephemeral(published: PublishedEvent): void {
    if (this.#connection === undefined) this.#hearing.ephemeral(published)
    else this.#publish(published.organizationId, ephemeralMessage(published))
  }

  async follow(organizationId: number): Promise<void> {
    if (!this.#followed.has(organizationId)) this.#followed.set(organizationId, undefined)
    await this.#tried
    if (!this.#followed.has(organizationId)) return
    this.#subscribe(organizationId)
    await this.#flush()
  }

  unfollow(organizationId: number): void {
    const subscription = this.#followed.get(organizationId)
    this.#followed.delete(organizationId)
    if (subscription?.isClosed() === false) subscription.unsubscribe()
  }

  async close(): Promise<void> {
    await this.#underWay.end()
    await this.#flush()
    this.#closing.abort()
    await this.#connection?.close()
    await this.#running
  }

  #say(organizationId: number, message: string): void {
    if (this.#connection !== undefined) this.#publish(organizationId, message)
    else this.#underWay.add(this.#tried.then(() => this.#publish(organizationId, message)))
  }

  #publish(organizationId: number, message: string): void {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    try {
      connection.publish(this.#subjectOf(organizationId), message)
      this.#sent += 1
    } catch (error) {
      this.#tell(error)
    }
  }

  #subjectOf(organizationId: number): string {
    return `${this.#prefix}.${organizationId}`
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#connect()
      } catch (error) {
        this.#tell(error)
      }
      this.#connection = undefined
      this.#hasTried()
      await sleep(RECONNECT_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Resolves when the connection has ended. */
  async #connect(): Promise<void> {
    if (this.#prefix === '') {
      const [database] = await this.#options.reads.rows<{ name: string }>('bus_database', DATABASE, [])
      this.#prefix = `parley.${database?.name ?? ''}`
    }
    const connection = await connectTo(this.#servers)
    if (this.#closing.signal.aborted) {
      await connection.close()
      return
    }
    this.#connection = connection
    this.#told = ''
    for (const organizationId of this.#followed.keys()) this.#subscribe(organizationId)
    this.#hasTried()
    await this.#flush()
    this.#hearing.connected()
    const error = await connection.closed()
    if (!this.#closing.signal.aborted) this.#tell(error ?? new Error('the connection was lost'))
    for (const organizationId of this.#followed.keys()) this.#followed.set(organizationId, undefined)
  }

  #subscribe(organizationId: number): void {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    if (this.#followed.get(organizationId) !== undefined) return
    const subscription = connection.subscribe(this.#subjectOf(organizationId), {
      callback: (error, message) => {
        if (error === null) this.#hear(organizationId, message.string())
        else this.#tell(error)
      },
    })
    this.#followed.set(organizationId, subscription)
  }

  #hear(organizationId: number, text: string): void {
    if (this.#closing.signal.aborted) return
    this.#received += 1
    try {
      hear(this.#hearing, organizationId, text)
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Waits until the server has what was sent, but not long. */
  async #flush(): Promise<void> {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    const flushed = new AbortController()
    const late = sleep(FLUSH_MILLISECONDS, undefined, { signal: flushed.signal }).catch(() => undefined)
    // A connection that was lost meanwhile is noticed where it is waited for.
    await Promise.race([connection.flush().catch(() => undefined), late])
    flushed.abort()
  }

  #tell(error: unknown): void {
    const sentence = refused(this.#servers, error)
    if (sentence === this.#told) return
    this.#told = sentence
    this.#options.onError(new Error(sentence))
  }
}
