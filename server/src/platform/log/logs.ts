import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { ConnectionOptions, Database } from '../db/database.ts'
import { Follower } from './follower.ts'
import { untilNextSecond } from '../jobs/seconds.ts'
import { listen, type Listening } from './listen.ts'
import {
  OrganizationLog,
  type EphemeralBus,
  type EphemeralRow,
  type RecordEvents,
  type RenewActor,
} from './organization-log.ts'
import { OpenTransaction } from './open-transaction.ts'
import { pruneLogs, type KeptEvents } from './prune.ts'
import { releaseSubdomain, removeRows, thoseThere } from './removal.ts'
import { FOLD_ONLY, type LogRow } from './row.ts'
import { endStuck } from './stuck.ts'
import { ephemeralSender, ephemeralDelivery, type PublishedEvent } from './ephemeral.ts'
import { LoadedOrganizationState, type AnyProjection } from './organization-state.ts'

/** How often other processes' commits are looked for, should a wake-up have been lost: with every second. */
const POLL_MILLISECONDS = 1_000
/** What is looked for is found within this. */
const LOOK_MILLISECONDS = 1_000
/** Commits: `organization:position`; where an organization is removed, `organization:removed`. */
const LOG_CHANNEL = 'parley_log'
const REMOVED = 'removed'
/** What is over in a moment, as JSON. */
const EPHEMERAL_CHANNEL = 'parley_whispers'

/** The organizations whose positions are not those that are known here. */
const WRITTEN = `
  select o.id from organizations o
  join unnest($1::bigint[], $2::bigint[]) as known (id, position) on known.id = o.id
  where o.position <> known.position`

export interface LogEvents {
  /** Attaches what `refId` stands for to rows read from the database. */
  hydrate(organization: OrganizationState, rows: readonly LogRow[]): Promise<unknown>
  deliver(log: OrganizationLog, row: LogRow): void
  /** Hears what `OrganizationLog.publishEphemeral` says, here or in another process. */
  deliverEphemeral(log: OrganizationLog, row: LogRow): void
  readonly renew: RenewActor
  readonly record: RecordEvents
  /** Hears of a log before anything is applied to it. */
  opened(log: OrganizationLog): void
  /** Hears that an organization is gone, and its log with it. */
  removed(log: OrganizationLog): void
  /** Hears that this process has written to a log, once that is applied. */
  written(log: OrganizationLog): void
  /** The consumers of the log, whose events are kept until they are handled. */
  readonly consumers: readonly string[]
  /** Stores how far these have come. */
  settle(): Promise<void>
}

/** The logs of all organizations that this process has been asked about. */
export interface Logs {
  of(organizationId: number): Promise<OrganizationLog>
  loaded(): readonly OrganizationLog[]
  /** Begins the log of a new organization with one transaction, whose state is empty and follows each change. */
  create<Result>(stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Removes an organization that has ended, for good: all servers let go of it, and all its rows go.
   * @param progress hears how many rows are gone
   */
  remove(organizationId: number, progress?: (rows: number) => void): Promise<void>
  /** Lets go of organizations that were removed, should the news have been lost. */
  letGoOfRemoved(): Promise<void>
  /**
   * Deletes events older than the retention, but for those that a consumer has not handled, which stay a week.
   * @returns the consumers that kept some
   */
  prune(): Promise<readonly KeptEvents[]>
  /** Stops listening; resolves when nothing is being written any more. */
  close(): Promise<void>
}

/**
 * @param shared whether other servers use the same database: then commits are announced and looked for
 */
export function openLogs(
  database: Database,
  connection: ConnectionOptions,
  projections: readonly AnyProjection[],
  events: LogEvents,
  shared: boolean,
  onError: (error: Error) => void,
): Logs {
  return new OpenLogs({ database, connection, projections, events, shared, onError })
}

interface LogsOptions {
  readonly database: Database
  readonly connection: ConnectionOptions
  readonly projections: readonly AnyProjection[]
  readonly events: LogEvents
  readonly shared: boolean
  readonly onError: (error: Error) => void
}

class OpenLogs implements Logs, EphemeralBus {
  readonly #options: LogsOptions
  readonly #logs = new Map<number, Promise<OrganizationLog>>()
  readonly #ready = new Map<number, OrganizationLog>()
  readonly #ephemeralDeliveries = new Map<number, ReturnType<typeof ephemeralDelivery>>()
  /** Closing waits for it: a command that ends at once must not take the news of its commit with it. */
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #sendEphemeral: ReturnType<typeof ephemeralSender>
  readonly #closing = new AbortController()
  readonly #poll: Promise<void> | undefined
  readonly #ending: ReturnType<typeof endStuck>
  #listener: Listening | undefined

  constructor(options: LogsOptions) {
    const { database, shared, onError } = options
    this.#options = options
    this.#sendEphemeral = ephemeralSender(
      (payloads) =>
        database.pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          EPHEMERAL_CHANNEL,
          payloads,
        ]),
      onError,
    )
    this.#poll = shared ? this.#lookEachSecond() : undefined
    // This is needed where this is the only server, too: a command may freeze beside it.
    const isWriting = (): boolean => [...this.#ready.values()].some((log) => log.isWriting)
    // The callers that wait for the database are told that it is away.
    this.#ending = endStuck(database.reads, isWriting, () => undefined)
  }

  of(organizationId: number): Promise<OrganizationLog> {
    let log = this.#logs.get(organizationId)
    if (log === undefined) {
      log = this.#open(organizationId)
      this.#logs.set(organizationId, log)
      log.catch(() => this.#logs.delete(organizationId))
    }
    return log
  }

  loaded(): readonly OrganizationLog[] {
    return [...this.#ready.values()]
  }

  create<Result>(stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result> {
    const { database, projections } = this.#options
    return database.transaction(async (db) => {
      const { id } = await db
        .insertInto('organizations')
        .values({ string_id: stringId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const organization = LoadedOrganizationState.begin(id, projections)
      const tx = new OpenTransaction(organization, db, 0, (change) =>
        organization.apply({
          position: 0,
          type: FOLD_ONLY,
          refId: null,
          audience: {},
          payload: {},
          changes: [change],
        }),
      )
      const result = await action(tx)
      await tx.append()
      return result
    })
  }

  async remove(organizationId: number, progress?: (rows: number) => void): Promise<void> {
    const { pool } = this.#options.database
    // By then each server has looked, and told those who wait of the end, also where the news of it was lost.
    await sleep(POLL_MILLISECONDS + LOOK_MILLISECONDS)
    await releaseSubdomain(pool, organizationId)
    // Also where this is the only server: it is told by a command.
    await pool.query('select pg_notify($1, $2)', [LOG_CHANNEL, `${organizationId}:${REMOVED}`])
    await this.#letGo(organizationId)
    await removeRows(pool, organizationId, progress)
  }

  async letGoOfRemoved(): Promise<void> {
    const ids = [...this.#ready.keys()]
    if (ids.length === 0) return
    const there = await thoseThere(this.#options.database.pool, ids)
    await Promise.all(ids.filter((id) => !there.has(id)).map(async (id) => this.#letGo(id)))
  }

  async #letGo(organizationId: number): Promise<void> {
    const log = this.#ready.get(organizationId)
    this.#logs.delete(organizationId)
    this.#ready.delete(organizationId)
    this.#ephemeralDeliveries.delete(organizationId)
    if (log === undefined) return
    this.#options.events.removed(log)
    await log.close()
  }

  async prune(): Promise<readonly KeptEvents[]> {
    const { database, events } = this.#options
    await events.settle()
    return pruneLogs(database.pool, events.consumers)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#poll
    await this.#ending.close()
    await this.#listener?.close()
    for (const log of this.#ready.values()) await log.close()
    await Promise.all(this.#underWay)
  }

  announce(organizationId: number, position: number): void {
    const { database, shared } = this.#options
    if (!shared) return
    this.#finish(database.pool.query('select pg_notify($1, $2)', [LOG_CHANNEL, `${organizationId}:${position}`]))
  }

  /**
   * Where there are several processes, this one is notified of its own ephemeral events through the database too, so that all
   * have them in one order.
   */
  publishEphemeral(organizationId: number, published: EphemeralRow): void {
    if (this.#options.shared) this.#finish(this.#sendEphemeral({ organizationId, ...published }))
    else this.#deliverEphemeral(organizationId, published)
  }

  #deliverEphemeral(organizationId: number, published: EphemeralRow): void {
    const delivered = this.#ephemeralDeliveries.get(organizationId)?.(published)
    if (delivered !== undefined) this.#finish(delivered)
  }

  #finish(work: Promise<unknown>): void {
    const ended = work.catch(this.#options.onError).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
  }

  async #open(organizationId: number): Promise<OrganizationLog> {
    const { database, projections, events, shared } = this.#options
    const organization = await LoadedOrganizationState.load(database, organizationId, projections)
    const follower = new Follower(
      organization,
      database.reads,
      (rows) => events.hydrate(organization, rows),
      (row) => events.deliver(log, row),
    )
    const log = new OrganizationLog(follower, database, this, events, () => events.written(log))
    events.opened(log)
    this.#ready.set(organizationId, log)
    const deliver = ({ type, audience, payload }: EphemeralRow): void =>
      events.deliverEphemeral(log, {
        position: organization.position,
        type,
        refId: null,
        audience,
        payload,
        changes: null,
      })
    this.#ephemeralDeliveries.set(organizationId, ephemeralDelivery(log, deliver))
    // Reads what was committed after the load and before this process was told of commits. Where it is the only server, only
    // commands can have written meanwhile, so no request waits for it.
    const catchUp = async (): Promise<void> => this.#listen().then(async () => follower.catchUp())
    if (shared) await catchUp()
    else this.#finish(turn().then(catchUp))
    return log
  }

  /** Resolves when this process hears of the commits of others. */
  async #listen(): Promise<void> {
    // No later code would close it.
    if (this.#closing.signal.aborted) return
    const { connection, onError } = this.#options
    this.#listener ??= listen(connection, onError, () => this.#finish(this.#catchUpAll()), {
      [LOG_CHANNEL]: (payload) => {
        const [organization = '', news = ''] = payload.split(':')
        const organizationId = Number(organization)
        if (news === REMOVED) this.#finish(this.#letGo(organizationId))
        const log = this.#ready.get(organizationId)
        if (log !== undefined && Number(news) > log.organization.position) log.follower.catchUp().catch(onError)
      },
      [EPHEMERAL_CHANNEL]: (payload) => {
        // Sent by `publishEphemeral` alone.
        const { organizationId, ...published } = JSON.parse(payload) as PublishedEvent
        this.#deliverEphemeral(organizationId, published)
      },
    })
    await this.#listener.connected
  }

  async #lookEachSecond(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await untilNextSecond(signal)
      if (!signal.aborted) await this.#catchUpAll().catch(this.#options.onError)
    }
  }

  /** Reads the logs in which something was written that is not known here: one statement says which these are. */
  async #catchUpAll(): Promise<void> {
    const known = [...this.#ready.values()].map(({ organization }) => organization)
    if (known.length === 0) return
    const values = [known.map(({ id }) => id), known.map(({ position }) => position)]
    const written = await this.#options.database.looks.rows<{ id: number }>('written_logs', WRITTEN, values)
    await Promise.all(written.map(async ({ id }) => this.#ready.get(id)?.follower.catchUp()))
  }
}
