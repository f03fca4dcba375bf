import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Db } from '../../kernel/transaction.ts'
import type { Bus, BusReport, BusListener, NodeMessage, OpenBus, PublishedEvent } from './bus.ts'
import {
  committedMessage,
  ephemeralMessage,
  dispatchMessage,
  dispatchNodeMessage,
  organizationRemovedMessage,
} from './messages.ts'
import { describeRefusal, parseBusServers, type BusServers } from './nats-servers.ts'
import { PendingWork } from './pending-work.ts'

const RECONNECT_DELAY_MILLISECONDS = 500
const CONNECT_TIMEOUT_MILLISECONDS = 2_000
/** Time limit for a flush, which a frozen NATS server never completes. */
const FLUSH_TIMEOUT_MILLISECONDS = 1_000
/** Interval between pings. After two missed pings, the connection counts as lost. */
const PING_INTERVAL_MILLISECONDS = 3_000
const MAX_MISSED_PINGS = 2
const NODES_SUBJECT = 'nodes'

export interface NatsBusOptions {
  readonly url: string
  readonly reads: Db
  readonly onError: (error: Error) => void
  readonly onBack: () => void
}

export function natsBus(options: NatsBusOptions): OpenBus {
  return (listener) => new NatsBus(options, listener)
}

/** Identifies the database across addresses and failovers: several databases can share a bus. */
const DATABASE_NAME_SQL = `
  select concat(system_identifier, '-', d.oid) as name
  from pg_control_system(), pg_database d where d.datname = current_database()`

async function connectTo({ options }: BusServers): Promise<NatsConnection> {
  // Loaded lazily: most servers have no bus.
  const { connect } = await import('@nats-io/transport-node')
  return connect({
    ...options,
    name: 'parley',
    // `stayConnected` reconnects and reports each outage.
    reconnect: false,
    timeout: CONNECT_TIMEOUT_MILLISECONDS,
    pingInterval: PING_INTERVAL_MILLISECONDS,
    maxPingOut: MAX_MISSED_PINGS,
  })
}

/** Returns the reason if the bus is unreachable. */
export async function findBusProblem(url: string): Promise<string | undefined> {
  const servers = parseBusServers(url)
  try {
    const connection = await connectTo(servers)
    await connection.close()
    return undefined
  } catch (error) {
    return describeRefusal(servers, error)
  }
}

class NatsBus implements Bus {
  readonly #options: NatsBusOptions
  readonly #servers: BusServers
  readonly #listener: BusListener
  readonly #underWay: PendingWork
  readonly #followed = new Map<number | typeof NODES_SUBJECT, Subscription | undefined>()
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  /** Resolves after the first connection attempt. Until then, messages wait. */
  readonly #tried: Promise<void>
  #hasTried: () => void = () => undefined
  #prefix = ''
  #connection: NatsConnection | undefined
  #reportedError = ''
  #sent = 0
  #received = 0

  constructor(options: NatsBusOptions, listener: BusListener) {
    this.#options = options
    this.#servers = parseBusServers(options.url)
    this.#listener = listener
    this.#underWay = new PendingWork(options.onError)
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
    this.#send(organizationId, committedMessage(position))
  }

  async removed(organizationId: number): Promise<void> {
    await this.#tried
    this.#publish(organizationId, organizationRemovedMessage())
    await this.#flush()
  }

  /** Sends an event. This process also receives it through the bus, so that all processes see the same order. */
  ephemeral(published: PublishedEvent): void {
    if (this.#connection === undefined) this.#listener.ephemeral(published)
    else this.#publish(published.organizationId, ephemeralMessage(published))
  }

  sendToNodes(message: NodeMessage): void {
    this.#send(NODES_SUBJECT, JSON.stringify(message))
  }

  async listen(): Promise<void> {
    await this.#follow(NODES_SUBJECT)
  }

  async follow(organizationId: number): Promise<void> {
    await this.#follow(organizationId)
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

  async #follow(name: number | typeof NODES_SUBJECT): Promise<void> {
    if (!this.#followed.has(name)) this.#followed.set(name, undefined)
    await this.#tried
    if (!this.#followed.has(name)) return
    this.#subscribe(name)
    await this.#flush()
  }

  #send(name: number | typeof NODES_SUBJECT, message: string): void {
    if (this.#connection !== undefined) this.#publish(name, message)
    else this.#underWay.add(this.#tried.then(() => this.#publish(name, message)))
  }

  #publish(name: number | typeof NODES_SUBJECT, message: string): void {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    try {
      connection.publish(this.#subjectOf(name), message)
      this.#sent += 1
    } catch (error) {
      this.#reportError(error)
    }
  }

  #subjectOf(name: number | typeof NODES_SUBJECT): string {
    return `${this.#prefix}.${name}`
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#connect()
      } catch (error) {
        this.#reportError(error)
      }
      this.#connection = undefined
      this.#hasTried()
      await sleep(RECONNECT_DELAY_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #connect(): Promise<void> {
    if (this.#prefix === '') {
      const [database] = await this.#options.reads.rows<{ name: string }>('bus_database', DATABASE_NAME_SQL, [])
      this.#prefix = `parley.${database?.name ?? ''}`
    }
    const connection = await connectTo(this.#servers)
    if (this.#closing.signal.aborted) {
      await connection.close()
      return
    }
    this.#connection = connection
    if (this.#reportedError !== '') this.#options.onBack()
    this.#reportedError = ''
    for (const name of this.#followed.keys()) this.#subscribe(name)
    this.#hasTried()
    await this.#flush()
    this.#listener.connected()
    const error = await connection.closed()
    this.#reportError(error ?? new Error('the connection was lost'))
    for (const name of this.#followed.keys()) this.#followed.set(name, undefined)
  }

  #subscribe(name: number | typeof NODES_SUBJECT): void {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    if (this.#followed.get(name) !== undefined) return
    const subscription = connection.subscribe(this.#subjectOf(name), {
      callback: (error, message) => {
        if (error === null) this.#receive(name, message.string())
        else this.#reportError(error)
      },
    })
    this.#followed.set(name, subscription)
  }

  #receive(name: number | typeof NODES_SUBJECT, text: string): void {
    if (this.#closing.signal.aborted) return
    this.#received += 1
    try {
      if (name === NODES_SUBJECT) dispatchNodeMessage(this.#listener, text)
      else dispatchMessage(this.#listener, name, text)
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #flush(): Promise<void> {
    const connection = this.#connection
    if (connection === undefined || connection.isClosed()) return
    const flushed = new AbortController()
    const timeout = sleep(FLUSH_TIMEOUT_MILLISECONDS, undefined, { signal: flushed.signal }).catch(() => undefined)
    // Ignores a lost connection, which the reconnect loop handles.
    await Promise.race([connection.flush().catch(() => undefined), timeout])
    flushed.abort()
  }

  #reportError(error: unknown): void {
    if (this.#closing.signal.aborted) return
    const sentence = describeRefusal(this.#servers, error)
    if (sentence === this.#reportedError) return
    this.#reportedError = sentence
    this.#options.onError(new Error(sentence))
  }
}
