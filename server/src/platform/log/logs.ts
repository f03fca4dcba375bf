import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { AnyProjection, OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Bus, BusReport, BusListener, NodeMessage, OpenBus, PublishedEvent } from '../bus/bus.ts'
import { PendingWork } from '../bus/pending-work.ts'
import type { Database } from '../db/database.ts'
import type { AppliedPosition } from '../db/replicas.ts'
import { waitForNextSecond } from '../jobs/every.ts'
import { countLogOpening } from '../metrics/counts.ts'
import type { Pace } from '../pace.ts'
import { Follower } from './follower.ts'
import { PeerNodes } from './peer-nodes.ts'
import type { LogObserver } from './observer.ts'
import { OrganizationLog, type RecordEvents, type RenewActor } from './organization-log.ts'
import { OpenTransaction } from './open-transaction.ts'
import { pruneLogs, type RetainedEvents } from './prune.ts'
import { releaseSubdomain, removeRows, existingOrganizations } from './organization-rows.ts'
import { PROJECTION_EVENT_TYPE, type EphemeralRow, type LogRow } from './row.ts'
import { terminateFrozenConnections } from './stuck.ts'
import { LogHandle, IdleLogs } from './idle-logs.ts'
import { ephemeralDelivery } from './ephemeral.ts'
import { LoadedOrganizationState } from './organization-state.ts'

const POLL_INTERVAL_MILLISECONDS = 1_000
const POLL_TIMEOUT_MILLISECONDS = 1_000

const CHANGED_LOGS_SQL = `
  select o.id from organizations o
  join unnest($1::bigint[], $2::bigint[]) as known (id, position) on known.id = o.id
  where o.position <> known.position`

export type UseLog = <Result>(
  organizationId: number,
  work: (log: OrganizationLog) => Result,
) => Promise<Awaited<Result>>

export interface Logs {
  observe(observers: readonly LogObserver[]): void
  /** Opens a log for the life of the process, for commands. */
  of(organizationId: number): Promise<OrganizationLog>
  use: UseLog
  handleOf(organizationId: number): LogHandle
  loaded(): readonly OrganizationLog[]
  /** Last known position of every log that this process used. Clients may have seen events up to these positions. */
  followed(): readonly AppliedPosition[]
  closeUnused(): Promise<void>
  create<Result>(stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Removes a deactivated organization permanently, on all servers. `progress` gets the number of deleted rows. */
  remove(organizationId: number, progress?: (rows: number) => void): Promise<void>
  unload(organizationIds: readonly number[]): void
  /** Closes logs of removed organizations, in case the notification is lost. */
  unloadRemoved(): Promise<void>
  prune(): Promise<readonly RetainedEvents[]>
  join(): Promise<void>
  /** Whether this process can answer without reading the log first. */
  readonly isCurrent: boolean
  sendToNodes(message: NodeMessage): void
  onNodeMessage(listener: (message: NodeMessage) => void): void
  readonly bus: BusReport
  close(): Promise<void>
}

export interface LogsOptions {
  readonly database: Database
  readonly projections: readonly AnyProjection[]
  /** Attaches the records behind `refId` to rows read from the database. */
  readonly hydrate: (organization: OrganizationState, rows: readonly LogRow[]) => Promise<unknown>
  readonly renew: RenewActor
  readonly record: RecordEvents
  readonly bus: OpenBus
  /** Whether other servers use the database, so that this server must poll. */
  readonly shared: boolean
  readonly idleSeconds: number
  readonly pace: Pick<Pace, 'silentLockMilliseconds'>
  readonly onError: (error: Error) => void
  /** Called when committed events are missing; rejects if the database lost them. */
  readonly missed: () => Promise<void>
  readonly onLate: (organizationId: number, late: number | undefined) => void
}

export function openLogs(options: LogsOptions): Logs {
  return new OpenLogs(options)
}

class OpenLogs implements Logs, BusListener {
  readonly #options: LogsOptions
  #observers: readonly LogObserver[] = []
  readonly #handles = new Map<number, LogHandle>()
  readonly #unused: IdleLogs
  /** Positions of closed logs, one per organization ever used. */
  readonly #left = new Map<number, number>()
  /** Logs that receive other processes' commits. */
  readonly #ready = new Map<number, OrganizationLog>()
  readonly #ephemeralDeliveries = new Map<number, ReturnType<typeof ephemeralDelivery>>()
  readonly #underWay: PendingWork
  readonly #bus: Bus
  readonly #members: PeerNodes
  readonly #listeners: ((message: NodeMessage) => void)[] = []
  readonly #closing = new AbortController()
  readonly #poll: Promise<void> | undefined
  readonly #ending: ReturnType<typeof terminateFrozenConnections>

  constructor(options: LogsOptions) {
    const { database, shared, onError, idleSeconds } = options
    this.#options = options
    this.#unused = new IdleLogs(this.#handles, {
      idleSeconds,
      isNeeded: (log) => this.#observers.some((observer) => observer.isNeeded?.(log)),
      isExpected: (log) => this.#observers.some((observer) => observer.isExpected?.(log)),
      saveState: async (logs) =>
        void (await Promise.all(this.#observers.map(async (observer) => observer.saveState?.(logs)))),
      close: (id) => {
        const log = this.#ready.get(id)
        if (log !== undefined) this.#left.set(id, log.follower.known)
        this.#underWay.add(this.#letGo(id))
      },
    })
    this.#underWay = new PendingWork(onError)
    this.#bus = options.bus(this)
    const { onLate } = options
    const reach = async (id: number, position: number): Promise<void> => this.#reach(id, position)
    this.#members = new PeerNodes({ database, bus: this.#bus, shared, reach, onLate })
    this.#poll = shared ? this.#pollEachSecond() : undefined
    // Needed even with a single server, because a command may freeze while holding locks.
    const isWriting = (): boolean => [...this.#ready.values()].some((log) => log.isWriting)
    // Ignores errors: callers that wait for the database report its outage.
    this.#ending = terminateFrozenConnections(database.reads, isWriting, () => undefined)
  }

  observe(observers: readonly LogObserver[]): void {
    this.#observers = observers
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
        countLogOpening('opened')
        this.#underWay.add(this.#unused.closeSurplus())
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

  followed(): readonly AppliedPosition[] {
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
          type: PROJECTION_EVENT_TYPE,
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
    // After this time, every server has polled, even if it missed the notification of the deactivation.
    await sleep(POLL_INTERVAL_MILLISECONDS + POLL_TIMEOUT_MILLISECONDS)
    await releaseSubdomain(pool, organizationId)
    // Sent even if there is only one server: if this process is a command, the server must learn of the removal.
    await this.#bus.removed(organizationId)
    await this.#letGo(organizationId)
    await removeRows(pool, organizationId, progress)
  }

  async unloadRemoved(): Promise<void> {
    const ids = [...this.#ready.keys()]
    if (ids.length === 0) return
    const there = await existingOrganizations(this.#options.database.pool, ids)
    this.unload(ids.filter((id) => !there.has(id)))
  }

  unload(organizationIds: readonly number[]): void {
    for (const id of organizationIds) {
      this.#left.delete(id)
      this.#underWay.add(this.#letGo(id))
    }
  }

  async #letGo(organizationId: number): Promise<void> {
    const log = this.#ready.get(organizationId)
    this.#handles.delete(organizationId)
    this.#ready.delete(organizationId)
    this.#ephemeralDeliveries.delete(organizationId)
    this.#bus.unfollow(organizationId)
    if (log === undefined) return
    for (const observer of this.#observers) observer.closed?.(log)
    await log.close()
  }

  async prune(): Promise<readonly RetainedEvents[]> {
    const kept = await Promise.all(this.#observers.map(async (observer) => observer.saveProgress?.()))
    return pruneLogs(
      this.#options.database.pool,
      kept.flatMap((names) => names ?? []),
    )
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
    this.unload([organizationId])
  }

  ephemeral({ organizationId, ...published }: PublishedEvent): void {
    const delivered = this.#ephemeralDeliveries.get(organizationId)?.(published)
    if (delivered !== undefined) this.#underWay.add(delivered)
  }

  nodeMessage(message: NodeMessage): void {
    this.#members.receive(message)
    for (const listener of this.#listeners) listener(message)
  }

  sendToNodes(message: NodeMessage): void {
    this.#bus.sendToNodes(message)
  }

  onNodeMessage(listener: (message: NodeMessage) => void): void {
    this.#listeners.push(listener)
  }

  connected(): void {
    this.#underWay.add(this.#catchUpAll())
  }

  async #open(organizationId: number): Promise<OrganizationLog> {
    const { database, projections, hydrate, renew, record, shared, pace } = this.#options
    const observers = this.#observers
    const organization = await LoadedOrganizationState.load(database, organizationId, projections)
    const follower = new Follower(
      organization,
      database.reads,
      (rows) => hydrate(organization, rows),
      (row) => {
        if (isOpen()) for (const observer of observers) observer.applied?.(log, row)
      },
      this.#options.missed,
    )
    const reportRevocation = (id: number, position: number): Promise<void> | undefined =>
      this.#members.whenApplied(id, position)
    const { silentLockMilliseconds } = pace
    const logOptions = { renew, record, reportRevocation, silentLockMilliseconds }
    const log = new OrganizationLog(follower, database, this.#bus, logOptions, () => {
      for (const observer of observers) observer.written?.(log)
    })
    // Only the open instance delivers events, because a closed log can still be read to its end.
    const isOpen = (): boolean => this.#ready.get(organizationId) === log
    for (const observer of observers) observer.opened?.(log)
    this.#ready.set(organizationId, log)
    this.#left.delete(organizationId)
    const deliver = ({ type, audience, payload }: EphemeralRow): void => {
      if (!isOpen()) return
      const row = { position: organization.position, type, refId: null, audience, payload, changes: null }
      for (const observer of observers) observer.ephemeral?.(log, row)
    }
    this.#ephemeralDeliveries.set(organizationId, ephemeralDelivery(log, deliver))
    // Reads commits made after loading. On a single server, only commands make such commits, so requests do not wait.
    const catchUp = async (): Promise<void> => this.#bus.follow(organizationId).then(async () => follower.catchUp())
    if (shared) await catchUp()
    else this.#underWay.add(turn().then(async () => this.use(organizationId, catchUp)))
    return log
  }

  async #reach(organizationId: number, position: number): Promise<void> {
    const log = await this.#handles.get(organizationId)?.opening.catch(() => undefined)
    if (log !== undefined && log.organization.position < position) await log.follower.catchUp()
  }

  async #pollEachSecond(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await waitForNextSecond(signal)
      if (!signal.aborted) await this.#catchUpAll().catch(this.#options.onError)
    }
  }

  async #catchUpAll(): Promise<void> {
    const foundAll = this.#members.beginPoll()
    const known = [...this.#ready.values()].map(({ organization }) => organization)
    if (known.length === 0) {
      foundAll()
      return
    }
    const values = [known.map(({ id }) => id), known.map(({ position }) => position)]
    const written = await this.#options.database.polls.rows<{ id: number }>('written_logs', CHANGED_LOGS_SQL, values)
    await Promise.all(written.map(async ({ id }) => this.#ready.get(id)?.follower.catchUp()))
    foundAll()
  }
}
