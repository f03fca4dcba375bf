import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Bus, BusReport, Hearing, NodeMessage, OpenBus, PublishedEvent } from '../bus/bus.ts'
import { UnderWay } from '../bus/under-way.ts'
import type { Database } from '../db/database.ts'
import type { Applied } from '../db/replicas.ts'
import { untilNextSecond } from '../jobs/seconds.ts'
import { countOpening } from '../metrics/counts.ts'
import { Follower } from './follower.ts'
import { Members } from './members.ts'
import { OrganizationLog, type RecordEvents, type RenewActor } from './organization-log.ts'
import { OpenTransaction } from './open-transaction.ts'
import { pruneLogs, type KeptEvents } from './prune.ts'
import { releaseSubdomain, removeRows, thoseThere } from './removal.ts'
import { FOLD_ONLY, type EphemeralRow, type LogRow } from './row.ts'
import { endStuck } from './stuck.ts'
import { LogHandle } from './handle.ts'
import { Unused } from './unused.ts'
import { ephemeralDelivery } from './ephemeral.ts'
import { LoadedOrganizationState, type AnyProjection } from './organization-state.ts'

/** How often other processes' commits are looked for, should a wake-up have been lost: with every second. */
const POLL_MILLISECONDS = 1_000
/** What is looked for is found within this. */
const LOOK_MILLISECONDS = 1_000

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
  /** Whether something goes on in a log that keeps it open, such as a client that waits for events. */
  isNeeded(log: OrganizationLog): boolean
  /** Whether clients were there so lately that some may be on their way to what they have not got yet. */
  isExpected(log: OrganizationLog): boolean
  /** Stores what memory alone knows of some logs that are not in use, which are then closed. */
  leave(logs: readonly OrganizationLog[]): Promise<void>
  /** Hears that a log is closed: it was not used for long, or its organization is gone. */
  closed(log: OrganizationLog): void
  /** Hears that this process has written to a log, once that is applied. */
  written(log: OrganizationLog): void
  /** The consumers of the log, whose events are kept until they are handled. */
  readonly consumers: readonly string[]
  /** Stores how far these have come. */
  settle(): Promise<void>
}

/** Calls `work` with the log of an organization, which stays open until what `work` returns has settled. */
export type UseLog = <Result>(
  organizationId: number,
  work: (log: OrganizationLog) => Result,
) => Promise<Awaited<Result>>

/** The logs of the organizations that this process uses. */
export interface Logs {
  /** Opens a log that stays open for as long as this process lives: for commands. What serves uses logs for as long as it needs them. */
  of(organizationId: number): Promise<OrganizationLog>
  use: UseLog
  /** By which a log is used in the same turn of the event loop; it is opened where it is not. */
  handleOf(organizationId: number): LogHandle
  /** Those that are open. */
  loaded(): readonly OrganizationLog[]
  /** How far each log had come that this process has ever used, as far as it knows; clients may have seen as much, also of those that are closed. */
  followed(): readonly Applied[]
  /** Closes the logs that have not been used for a while. The next request for one opens it anew. */
  closeUnused(): Promise<void>
  /** Begins the log of a new organization with one transaction, whose state is empty and follows each change. */
  create<Result>(stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Removes an organization that has ended, for good: all servers let go of it, and all its rows go.
   * @param progress hears how many rows are gone
   */
  remove(organizationId: number, progress?: (rows: number) => void): Promise<void>
  /** Closes the logs of organizations that are not there any more. */
  letGo(organizationIds: readonly number[]): void
  /** Lets go of organizations that were removed, should the news have been lost. */
  letGoOfRemoved(): Promise<void>
  /**
   * Deletes events older than the retention, but for those that a consumer has not handled, which stay a week.
   * @returns the consumers that kept some
   */
  prune(): Promise<readonly KeptEvents[]>
  /**
   * From here on this process answers requests: what takes rights away waits until it knows of that. Where only commands can write
   * beside it, nothing waits for its beginning.
   */
  join(): Promise<void>
  /** Whether what is known here is new enough to answer by, or the log has to be read before. */
  readonly isCurrent: boolean
  /** What nodes say to each other beside the logs. */
  tellNodes(message: NodeMessage): void
  onNodeMessage(hear: (message: NodeMessage) => void): void
  /** What is known of the bus by which this process hears of others. */
  readonly bus: BusReport
  /** Stops listening; resolves when nothing is being written any more. */
  close(): Promise<void>
}

export interface LogsOptions {
  readonly database: Database
  readonly projections: readonly AnyProjection[]
  readonly events: LogEvents
  /** By which processes that use the same database tell each other what they do. */
  readonly bus: OpenBus
  /** Whether other servers use the same database: then their commits are looked for. */
  readonly shared: boolean
  /** A log that has not been used for this long is closed. */
  readonly idleSeconds: number
  readonly onError: (error: Error) => void
  /** Looks whether the database lacks what it had, after it did not have what was committed, and rejects where it does. */
  readonly missed: () => Promise<void>
  /** Hears that rights were taken away and others have not answered that they know; undefined where it is not known how many. */
  readonly onLate: (organizationId: number, late: number | undefined) => void
}

export function openLogs(options: LogsOptions): Logs {
  return new OpenLogs(options)
}

class OpenLogs implements Logs, Hearing {
  readonly #options: LogsOptions
  readonly #handles = new Map<number, LogHandle>()
  readonly #unused: Unused
  /** The positions of the logs that are closed: a number for each organization that was ever used. */
  readonly #left = new Map<number, number>()
  /** Those that hear what others commit; the last of them may still be read to the end. */
  readonly #ready = new Map<number, OrganizationLog>()
  readonly #ephemeralDeliveries = new Map<number, ReturnType<typeof ephemeralDelivery>>()
  readonly #underWay: UnderWay
  readonly #bus: Bus
  readonly #members: Members
  readonly #listeners: ((message: NodeMessage) => void)[] = []
  readonly #closing = new AbortController()
  readonly #poll: Promise<void> | undefined
  readonly #ending: ReturnType<typeof endStuck>

  constructor(options: LogsOptions) {
    const { database, shared, onError, events, idleSeconds } = options
    this.#options = options
    this.#unused = new Unused(this.#handles, {
      idleSeconds,
      isNeeded: (log) => events.isNeeded(log),
      isExpected: (log) => events.isExpected(log),
      leave: async (logs) => events.leave(logs),
      close: (id) => {
        const log = this.#ready.get(id)
        if (log !== undefined) this.#left.set(id, log.follower.known)
        this.#underWay.add(this.#letGo(id))
      },
    })
    this.#underWay = new UnderWay(onError)
    this.#bus = options.bus(this)
    const { onLate } = options
    const reach = async (id: number, position: number): Promise<void> => this.#reach(id, position)
    this.#members = new Members({ database, bus: this.#bus, shared, reach, onLate })
    this.#poll = shared ? this.#lookEachSecond() : undefined
    // This is needed where this is the only server, too: a command may freeze beside it.
    const isWriting = (): boolean => [...this.#ready.values()].some((log) => log.isWriting)
    // The callers that wait for the database are told that it is away.
    this.#ending = endStuck(database.reads, isWriting, () => undefined)
  }

  of(organizationId: number): Promise<OrganizationLog> {
    const handle = this.handleOf(organizationId)
    handle.keep()
    return handle.opening
  }

  async use<Result>(organizationId: number, work: (log: OrganizationLog) => Result): Promise<Awaited<Result>> {
    return await this.handleOf(organizationId).use(work)
  }

  handleOf(organizationId: number): LogHandle {
    const known = this.#handles.get(organizationId)
    if (known !== undefined) return known
    const handle = new LogHandle(this.#open(organizationId))
    this.#handles.set(organizationId, handle)
    handle.opening.then(
      () => {
        countOpening('opened')
        this.#underWay.add(this.#unused.makeRoom())
      },
      () => this.#handles.get(organizationId) === handle && this.#underWay.add(this.#letGo(organizationId)),
    )
    return handle
  }

  async closeUnused(): Promise<void> {
    await this.#unused.close()
  }

  async join(): Promise<void> {
    const joined = this.#members.join().then(async () => this.#catchUpAll())
    if (this.#options.shared) await joined
    else this.#underWay.add(joined)
  }

  get isCurrent(): boolean {
    return !this.#options.shared || this.#members.isCurrent
  }

  get bus(): BusReport {
    return this.#bus.report
  }

  loaded(): readonly OrganizationLog[] {
    return [...this.#ready.values()]
  }

  followed(): readonly Applied[] {
    return [
      ...Array.from(this.#ready.values(), ({ organization: { id }, follower }) => ({ id, position: follower.known })),
      ...Array.from(this.#left, ([id, position]) => ({ id, position })),
    ]
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
    await this.#bus.removed(organizationId)
    await this.#letGo(organizationId)
    await removeRows(pool, organizationId, progress)
  }

  async letGoOfRemoved(): Promise<void> {
    const ids = [...this.#ready.keys()]
    if (ids.length === 0) return
    const there = await thoseThere(this.#options.database.pool, ids)
    this.letGo(ids.filter((id) => !there.has(id)))
  }

  letGo(organizationIds: readonly number[]): void {
    for (const id of organizationIds) {
      this.#left.delete(id)
      this.#underWay.add(this.#letGo(id))
    }
  }

  /** Closes a log: a later request for it opens it anew, and nothing more is told by this one. */
  async #letGo(organizationId: number): Promise<void> {
    const log = this.#ready.get(organizationId)
    this.#handles.delete(organizationId)
    this.#ready.delete(organizationId)
    this.#ephemeralDeliveries.delete(organizationId)
    this.#bus.unfollow(organizationId)
    if (log === undefined) return
    this.#options.events.closed(log)
    await log.close()
  }

  async prune(): Promise<readonly KeptEvents[]> {
    const { database, events } = this.#options
    await events.settle()
    return pruneLogs(database.pool, events.consumers)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#members.close()
    await this.#poll
    await this.#ending.close()
    for (const log of this.#ready.values()) await log.close()
    await this.#bus.close()
    await this.#underWay.end()
  }

  committed(organizationId: number, position: number): void {
    const log = this.#ready.get(organizationId)
    if (log !== undefined && position > log.organization.position) this.#underWay.add(log.follower.catchUp())
  }

  removed(organizationId: number): void {
    this.letGo([organizationId])
  }

  ephemeral({ organizationId, ...published }: PublishedEvent): void {
    const delivered = this.#ephemeralDeliveries.get(organizationId)?.(published)
    if (delivered !== undefined) this.#underWay.add(delivered)
  }

  nodeSaid(message: NodeMessage): void {
    this.#members.heard(message)
    for (const hear of this.#listeners) hear(message)
  }

  tellNodes(message: NodeMessage): void {
    this.#bus.tellNodes(message)
  }

  onNodeMessage(hear: (message: NodeMessage) => void): void {
    this.#listeners.push(hear)
  }

  connected(): void {
    this.#underWay.add(this.#catchUpAll())
  }

  async #open(organizationId: number): Promise<OrganizationLog> {
    const { database, projections, events, shared } = this.#options
    const organization = await LoadedOrganizationState.load(database, organizationId, projections)
    const follower = new Follower(
      organization,
      database.reads,
      (rows) => events.hydrate(organization, rows),
      (row) => {
        if (isOpen()) events.deliver(log, row)
      },
      this.#options.missed,
    )
    const { renew, record } = events
    const tellOfRights = (id: number, position: number): Promise<void> | undefined => this.#members.told(id, position)
    const log = new OrganizationLog(follower, database, this.#bus, { renew, record, tellOfRights }, () =>
      events.written(log),
    )
    // Code that keeps a log may read it to the end after it was closed. By then another one tells clients what is in it.
    const isOpen = (): boolean => this.#ready.get(organizationId) === log
    events.opened(log)
    this.#ready.set(organizationId, log)
    this.#left.delete(organizationId)
    const deliver = ({ type, audience, payload }: EphemeralRow): void => {
      const { position } = organization
      if (isOpen()) events.deliverEphemeral(log, { position, type, refId: null, audience, payload, changes: null })
    }
    this.#ephemeralDeliveries.set(organizationId, ephemeralDelivery(log, deliver))
    // Reads what was committed after the load and before this process was told of commits. Where it is the only server, only
    // commands can have written meanwhile, so no request waits for it.
    const catchUp = async (): Promise<void> => this.#bus.follow(organizationId).then(async () => follower.catchUp())
    if (shared) await catchUp()
    else this.#underWay.add(turn().then(async () => this.use(organizationId, catchUp)))
    return log
  }

  /** One that is opened later reads what is there then. */
  async #reach(organizationId: number, position: number): Promise<void> {
    const log = await this.#handles.get(organizationId)?.opening.catch(() => undefined)
    if (log !== undefined && log.organization.position < position) await log.follower.catchUp()
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
    const foundAll = this.#members.beginLook()
    const known = [...this.#ready.values()].map(({ organization }) => organization)
    if (known.length === 0) {
      foundAll()
      return
    }
    const values = [known.map(({ id }) => id), known.map(({ position }) => position)]
    const written = await this.#options.database.looks.rows<{ id: number }>('written_logs', WRITTEN, values)
    await Promise.all(written.map(async ({ id }) => this.#ready.get(id)?.follower.catchUp()))
    foundAll()
  }
}
