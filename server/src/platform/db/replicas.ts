import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { messageOf } from '../../kernel/phrases.ts'
import { stopwatch } from '../../kernel/steady-time.ts'
import type { Db } from '../../kernel/transaction.ts'
import { CONNECTION_DEFAULTS, sessionOptions } from './database.ts'
import { pipelinedReads, type PipelinedReads } from './pipelined.ts'

/* Reads only from standbys as current as the projections, which decide who can see rows. A request uses one standby. */

const CONNECTIONS_PER_REPLICA = 4
const MAX_REPLICAS_TRIED = 2
const CATCH_UP_TIMEOUT_MILLISECONDS = 40
const CATCH_UP_POLL_INTERVAL_MILLISECONDS = 5
const LAGGING_REPLICA_PAUSE_MILLISECONDS = 1_000
/** Time without reads from a replica after any failure other than lag. */
const FAILED_REPLICA_PAUSE_MILLISECONDS = 5_000
/** Interval between checks of a replica. */
const CHECK_INTERVAL_MILLISECONDS = 1_000
const ANSWER_TIMEOUT_MILLISECONDS = 1_000
const CONNECT_TIMEOUT_MILLISECONDS = 1_000
/** How long a check's result is valid: at least until the next check ends. */
const CHECK_VALIDITY_MILLISECONDS =
  CHECK_INTERVAL_MILLISECONDS + CONNECT_TIMEOUT_MILLISECONDS + ANSWER_TIMEOUT_MILLISECONDS
/** Time limit for a statement at a replica. Slower statements run again on the primary. */
const STATEMENT_TIMEOUT_MILLISECONDS = 3_000
const MAX_KNOWN_POSITIONS = 20_000

export interface AppliedPosition {
  readonly id: number
  readonly position: number
}

export type ReplicaOutcome = 'answered' | 'behind' | 'refused' | 'failed'

export interface ReplicaReport {
  readonly name: string
  readonly reason: string | undefined
}

export interface Replicas {
  /** @param read runs again if a replica cannot answer */
  read<Result>(
    organization: AppliedPosition,
    read: (db: Db) => Promise<Result>,
    atPrimary: () => Promise<Result>,
  ): Promise<Result>
  readonly reports: readonly ReplicaReport[]
  /** Number of reads by outcome since the process started. */
  readonly counts: Readonly<Record<ReplicaOutcome, number>>
  close(): Promise<void>
}

export interface ReplicasOptions {
  readonly urls: readonly string[]
  /** Database identity, shared by replicas (`log/restored.ts`); undefined while the primary is unreachable. */
  readonly place: () => string | undefined
  readonly onLeftOut: (report: ReplicaReport) => void
  readonly onBack: (name: string) => void
}

export class ReplicaReadError extends Error {
  readonly outcome: Exclude<ReplicaOutcome, 'answered'>

  constructor(outcome: Exclude<ReplicaOutcome, 'answered'>, message: string, options?: ErrorOptions) {
    super(message, options)
    this.outcome = outcome
  }
}

export function openReplicas(options: ReplicasOptions): Replicas {
  return new OpenReplicas(options)
}

class OpenReplicas implements Replicas {
  readonly #replicas: readonly Replica[]
  #next = 0
  readonly counts = { answered: 0, behind: 0, refused: 0, failed: 0 }

  constructor(options: ReplicasOptions) {
    this.#replicas = options.urls.map((url) => new Replica(url, options))
  }

  async read<Result>(
    organization: AppliedPosition,
    read: (db: Db) => Promise<Result>,
    atPrimary: () => Promise<Result>,
  ): Promise<Result> {
    this.#next = (this.#next + 1) % this.#replicas.length
    const inTurn = [...this.#replicas.slice(this.#next), ...this.#replicas.slice(0, this.#next)]
    const usable = inTurn.filter(({ isUsable }) => isUsable)
    const tried = usable.toSorted((one, other) => one.inFlight - other.inFlight).slice(0, MAX_REPLICAS_TRIED)
    for (const replica of tried) {
      let outcome: ReplicaOutcome = 'answered'
      try {
        return await replica.read(organization, read)
      } catch (error) {
        // Any other error was thrown by the read itself, for example because the request is not allowed.
        if (!(error instanceof ReplicaReadError)) throw error
        outcome = error.outcome
        if (outcome === 'refused') break
      } finally {
        this.counts[outcome] += 1
      }
    }
    return atPrimary()
  }

  get reports(): readonly ReplicaReport[] {
    return this.#replicas.map(({ report }) => report)
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(async (replica) => replica.close()))
  }
}

/** @param place the primary's identity */
export async function tryReplica(url: string, place: string | undefined): Promise<ReplicaReport> {
  const client = new pg.Client(clientOptions(url, ANSWER_TIMEOUT_MILLISECONDS))
  client.on('error', () => undefined)
  const name = hostAndPort(client)
  try {
    await client.connect()
    const { rows } = await client.query<ReplicaPosition>(POSITION_AND_IDENTITY_SQL, [0])
    return { name, reason: rows[0]?.place === place ? undefined : OTHER_PRIMARY_REASON }
  } catch (error) {
    return { name, reason: messageOf(error) }
  } finally {
    client.end().catch(() => undefined)
  }
}

function hostAndPort({ host, port }: pg.Client): string {
  return `${host}:${port}`
}

const LAG_REASON = 'it has not replayed the requested position'
const OTHER_PRIMARY_REASON = 'it is not a replica of the primary, or has not replayed the promotion of this primary'
const PRIMARY_UNAVAILABLE_MESSAGE = 'the primary is unavailable'

class Replica {
  readonly #name: string
  readonly #options: ReplicasOptions
  readonly #links: readonly ReplicaConnection[]
  /** Separate connection for checks, so that reads do not delay them. */
  readonly #checks: PipelinedReads
  readonly #closing = new AbortController()
  readonly #checking: Promise<void>
  #reason: string | undefined
  /** Position that the last read needed and the replica had not reached. */
  #behind: AppliedPosition | undefined
  #leftOutUntil = Number.NEGATIVE_INFINITY
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(url: string, options: ReplicasOptions) {
    this.#name = hostAndPort(new pg.Client({ connectionString: url }))
    this.#options = options
    this.#links = Array.from({ length: CONNECTIONS_PER_REPLICA }, () => new ReplicaConnection(url, options.place))
    this.#checks = pipelinedReads(clientOptions(url, ANSWER_TIMEOUT_MILLISECONDS), { onError: () => undefined })
    this.#checking = this.#checkEachSecond()
  }

  get report(): ReplicaReport {
    return { name: this.#name, reason: this.#reason }
  }

  get inFlight(): number {
    return this.#links.reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  get isUsable(): boolean {
    const now = stopwatch.now()
    if (this.#options.place() === undefined) return false
    return now - this.#checkedAt <= CHECK_VALIDITY_MILLISECONDS && now >= this.#leftOutUntil
  }

  async read<Result>(organization: AppliedPosition, read: (db: Db) => Promise<Result>): Promise<Result> {
    const [link] = this.#links.toSorted((one, other) => one.inFlight - other.inFlight)
    if (link === undefined) throw new Error('a replica has connections')
    link.inFlight += 1
    try {
      return await read(link.following(organization))
    } catch (error) {
      if (error instanceof ReplicaReadError) this.#missed(error, organization)
      throw error
    } finally {
      link.inFlight -= 1
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#checking
    const connections = [this.#checks, ...this.#links]
    for (const connection of connections) connection.abandon()
    await Promise.all(connections.map(async (connection) => connection.close()))
  }

  #missed({ outcome, message }: ReplicaReadError, { id, position }: AppliedPosition): void {
    // Keeps using the replica, because it can still answer other reads.
    if (outcome === 'refused') return
    if (outcome === 'behind') this.#behind = { id, position }
    this.#leaveOut(
      message,
      outcome === 'behind' ? LAGGING_REPLICA_PAUSE_MILLISECONDS : FAILED_REPLICA_PAUSE_MILLISECONDS,
    )
  }

  #leaveOut(reason: string, milliseconds: number): void {
    this.#leftOutUntil = stopwatch.now() + milliseconds
    const isNews = this.#reason === undefined
    this.#reason = reason
    if (isNews) this.#options.onLeftOut(this.report)
  }

  #isBack(): void {
    if (this.#reason === undefined) return
    this.#reason = undefined
    this.#options.onBack(this.#name)
  }

  async #checkEachSecond(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#check()
      await sleep(CHECK_INTERVAL_MILLISECONDS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #check(): Promise<void> {
    const expected = this.#options.place()
    // Skips the check while the primary is unreachable, which is reported elsewhere.
    if (expected === undefined) return
    try {
      const behind = this.#behind
      const [row] = await this.#checks.rows<ReplicaPosition>('replica_look', POSITION_AND_IDENTITY_SQL, [
        behind?.id ?? 0,
      ])
      if (row?.place !== expected) throw new Error(OTHER_PRIMARY_REASON)
      this.#checkedAt = stopwatch.now()
      if (behind !== undefined && (row.position ?? 0) < behind.position) return
      if (this.#behind === behind) this.#behind = undefined
      if (this.#behind === undefined && this.#checkedAt >= this.#leftOutUntil) this.#isBack()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#leaveOut(messageOf(error), 0)
      this.#checkedAt = Number.NEGATIVE_INFINITY
      for (const connection of [this.#checks, ...this.#links]) connection.abandon()
    }
  }
}

/** Queries an organization's position on a replica, and the replica's identity. */
const POSITION_AND_IDENTITY_SQL = `
  select (select position from organizations where id = $1) as position, (select place from database_place) as place`

interface ReplicaPosition {
  readonly position: number | null
  readonly place: string | null
}

class ReplicaConnection {
  readonly #reads: PipelinedReads
  readonly #place: () => string | undefined
  #known = newPositionCache()
  #knownOf: string | undefined
  readonly #asking = new Map<number, Promise<void>>()
  #number = 0
  inFlight = 0

  constructor(url: string, place: () => string | undefined) {
    this.#place = place
    this.#reads = pipelinedReads(clientOptions(url, STATEMENT_TIMEOUT_MILLISECONDS + ANSWER_TIMEOUT_MILLISECONDS), {
      onError: () => undefined,
      onLost: () => {
        this.#number += 1
        this.#known = newPositionCache()
      },
    })
  }

  /** Returns a database that waits, before its first read, until the replica has reached the applied position. */
  following(organization: AppliedPosition): Db {
    const number = this.#number
    return {
      rows: async <Row>(name: string, text: string, values: readonly unknown[]) => {
        const { id, position } = organization
        await this.#reach(id, position)
        if (this.#number !== number) throw new ReplicaReadError('failed', 'the connection was lost')
        return this.#reads.rows<Row>(name, text, values).catch(throwReplicaReadError)
      },
    }
  }

  abandon(): void {
    this.#reads.abandon()
  }

  async close(): Promise<void> {
    await this.#reads.close()
  }

  async #reach(organizationId: number, position: number): Promise<void> {
    const until = stopwatch.now() + CATCH_UP_TIMEOUT_MILLISECONDS
    while (!this.#hasReached(organizationId, position)) {
      await this.#ask(organizationId)
      if (this.#hasReached(organizationId, position)) return
      if (stopwatch.now() >= until) throw new ReplicaReadError('behind', LAG_REASON)
      await sleep(CATCH_UP_POLL_INTERVAL_MILLISECONDS)
    }
  }

  #hasReached(organizationId: number, position: number): boolean {
    const place = this.#place()
    if (place === undefined) throw new ReplicaReadError('failed', PRIMARY_UNAVAILABLE_MESSAGE)
    // Positions known from another timeline are invalid.
    if (place !== this.#knownOf) this.#known = newPositionCache()
    this.#knownOf = place
    return (this.#known.get(organizationId) ?? -1) >= position
  }

  async #ask(organizationId: number): Promise<void> {
    let asking = this.#asking.get(organizationId)
    if (asking === undefined) {
      asking = this.#learn(organizationId).finally(() => this.#asking.delete(organizationId))
      this.#asking.set(organizationId, asking)
    }
    await asking
  }

  async #learn(organizationId: number): Promise<void> {
    const number = this.#number
    const place = this.#place()
    const [row] = await this.#reads
      .rows<ReplicaPosition>('replica_reached', POSITION_AND_IDENTITY_SQL, [organizationId])
      .catch(throwReplicaReadError)
    if (row?.place !== place) throw new ReplicaReadError('failed', OTHER_PRIMARY_REASON)
    if (number === this.#number && place === this.#knownOf) this.#known.set(organizationId, row?.position ?? -1)
  }
}

function newPositionCache(): BoundedCache<number, number> {
  return new BoundedCache<number, number>(MAX_KNOWN_POSITIONS)
}

/** Errors that affect only one statement: conflicts with replay, timeouts, and invalid or oversized statements. */
const STATEMENT_ERROR_CODES = /^(?:40001|57014|(?:0A|21|22|42|54)...)$/

/** Throws an error that makes the read run again on the primary, where an invalid statement fails again. */
function throwReplicaReadError(error: unknown): never {
  const isRefused = error instanceof pg.DatabaseError && STATEMENT_ERROR_CODES.test(error.code ?? '')
  throw new ReplicaReadError(isRefused ? 'refused' : 'failed', messageOf(error), { cause: error })
}

function clientOptions(url: string, mostMilliseconds: number): pg.ClientConfig {
  return {
    connectionString: url,
    ...CONNECTION_DEFAULTS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    // Prevents writes if the URL points to a primary.
    options: `${sessionOptions(STATEMENT_TIMEOUT_MILLISECONDS / 1000)} -c default_transaction_read_only=on`,
    query_timeout: mostMilliseconds,
  }
}
