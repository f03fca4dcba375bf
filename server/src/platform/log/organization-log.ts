import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Db, SharedActorTx, SnapshotDb, Tx } from '../../kernel/transaction.ts'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Database } from '../db/database.ts'
import { DatabaseBehindError, isRolledBack } from '../db/unavailable.ts'
import type { Follower } from './follower.ts'
import { eventName, type EventDeclaration } from '../../kernel/event.ts'
import type { Audience } from '../../kernel/audience.ts'
import type { Bus } from '../bus/bus.ts'
import type { AppendedEvents, EmittedEvent, EphemeralRow } from './row.ts'
import { BatchWriter, type BatchKind, type PendingWrite } from './batch-writer.ts'
import { OpenTransaction } from './open-transaction.ts'
import { readPosition } from './organization-state.ts'
import {
  runConcurrently,
  SharedTransactionError,
  runOneByOne,
  type Subject,
  type PendingAction,
  type SharingAction,
} from './overlap.ts'

/** Maximum number of actions in a shared transaction, so that the first does not wait too long for the last. */
const MAX_SHARED_ACTIONS = 128

/** @throws ApiError USER_DEACTIVATED */
export type RenewActor = (organization: OrganizationState, actor: Actor) => Actor

/** Reports that access was revoked. Resolves when other nodes have applied the position or timed out. */
export type ReportRevocation = (organizationId: number, position: number) => Promise<void> | undefined

export type RecordEvents = (tx: Tx, emitted: readonly EmittedEvent[]) => Promise<void>

interface OrganizationLogOptions {
  readonly renew: RenewActor
  readonly record: RecordEvents
  readonly reportRevocation: ReportRevocation
  readonly silentLockMilliseconds: number
}

/** Pause between attempts to reread the log after a lost connection. */
const REREAD_PAUSE_MILLISECONDS = 200

/** Time limit for applying the log while holding the lock. */
const APPLY_TIMEOUT_MILLISECONDS = 2_000

/** Maximum number of attempts to read a snapshot between writes, before the lock keeps writes out. */
const SNAPSHOT_ATTEMPTS = 5

/**
 * The only writer of an organization in this process. All durable changes go through it, one commit at a time; items of
 * one batch kind that arrive during a commit share the next statement. (The organization's row lock is held until the
 * flush. With one transaction each, writers would queue for it: 890 sends/s instead of 29,000.)
 *
 * The life of an event in the log:
 * 1. A write waits for its turn, takes the organization's lock, and applies the log up to the current position.
 * 2. The write emits events, each of which takes the next position (`open-transaction.ts`, or a batch's statement).
 * 3. Events and changes are inserted and committed in one transaction.
 * 4. The bus announces the new position to other processes.
 * 5. The follower applies the events to the projections and passes them on for delivery (`follower.ts`).
 * 6. The result is returned; if access was revoked, after the other nodes have confirmed (`peer-nodes.ts`).
 */
export class OrganizationLog {
  readonly follower: Follower
  readonly #database: Database
  readonly #bus: Pick<Bus, 'committed' | 'ephemeral'>
  readonly #writers = new Map<BatchKind<never, never>, BatchWriter<never, never>>()
  readonly #single: PendingAction[] = []
  readonly #sharing: SharingAction[] = []
  #hasShared = false
  readonly #renew: RenewActor
  readonly #record: RecordEvents
  readonly #reportRevocation: ReportRevocation
  readonly #written: () => void
  readonly #silentLockMilliseconds: number
  readonly #results: (() => void)[] = []
  #running: Promise<void> | undefined
  #recovering: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(
    follower: Follower,
    database: Database,
    bus: Pick<Bus, 'committed' | 'ephemeral'>,
    { renew, record, reportRevocation, silentLockMilliseconds }: OrganizationLogOptions,
    written: () => void,
  ) {
    this.#reportRevocation = reportRevocation
    this.#renew = renew
    this.#record = record
    this.#written = written
    this.#silentLockMilliseconds = silentLockMilliseconds
    this.follower = follower
    this.#database = database
    this.#bus = bus
  }

  get organization(): OrganizationState {
    return this.follower.organization
  }

  get lookups(): Db {
    return this.#database.lookups
  }

  /** Runs an action alone. On return, its changes are durable and applied; if they revoke access, by all processes. */
  act<Result>(actor: Actor, action: (tx: ActorTx) => Promise<Result>): Promise<Result> {
    return this.#enqueue(
      (pending) => this.#single.push(pending),
      (tx) => action(this.#onBehalfOf(actor, tx)),
    )
  }

  /** Runs a small write in a shared transaction. If one write fails, all can run again: it must be repeatable. */
  actInSharedTransaction<Result>(
    actor: Actor,
    subject: Subject,
    action: (tx: SharedActorTx) => Promise<Result>,
  ): Promise<Result> {
    return this.#enqueue(
      (pending) => this.#sharing.push({ ...pending, subject }),
      (tx) => action(this.#onBehalfOf(actor, tx)),
    )
  }

  /** Writes without an actor, for jobs and the first start. */
  write<Result>(action: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#enqueue((pending) => this.#single.push(pending), action)
  }

  operate<Result>(action: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.write((tx) => action(Object.assign(tx, { isByOperator: true })))
  }

  #enqueue<Result>(
    push: (pending: PendingAction) => void,
    action: (tx: OpenTransaction) => Promise<Result>,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      push({
        reject,
        run: async (tx) => {
          const result = await action(tx)
          return () => resolve(result)
        },
      })
      this.#wake()
    })
  }

  batch<Item, Result>(kind: BatchKind<Item, Result>, item: Item): Promise<Result> {
    const result = this.#writer(kind).push(item)
    this.#wake()
    return result
  }

  /** Sends an unlogged event to current queues in all processes. Payload and audience must total under 7,500 bytes. */
  publishEphemeral(event: EventDeclaration, payload: EphemeralRow['payload'], audience: Audience): void {
    if (event.isEphemeral !== true) throw new Error(`${eventName(event)} is not declared as ephemeral`)
    const { id: organizationId, position } = this.organization
    this.#bus.ephemeral({ organizationId, position, type: eventName(event), payload, audience })
  }

  /** Reads the projections (`observe`, synchronously) and the database (`read`) at the same position. */
  async snapshot<Observed, Result>(
    observe: (organization: OrganizationState) => Observed,
    read: (db: SnapshotDb) => Promise<Result>,
  ): Promise<{ position: number; observed: Observed; read: Result }> {
    const missed = Symbol('missed')
    for (let attempt = 1; ; attempt += 1) {
      const locked = attempt > SNAPSHOT_ATTEMPTS
      const readSnapshot = async (db: SnapshotDb) => {
        const position = await readPosition(db, this.organization.id)
        const take = () => {
          const rows = read(db)
          // Avoids an unhandled rejection: the promise is awaited below, but may reject earlier.
          rows.catch(() => undefined)
          return { rows, observed: observe(this.organization) }
        }
        const taken = await this.follower.at(position, take, locked ? APPLY_TIMEOUT_MILLISECONDS : undefined)
        return taken === undefined ? missed : { position, observed: taken.observed, read: await taken.rows }
      }
      const result = await (locked
        ? this.#database.transaction(async (db) => {
            await this.#lock(db)
            return readSnapshot(db)
          })
        : this.#database.snapshot(readSnapshot))
      if (result !== missed) return result
    }
  }

  get isWriting(): boolean {
    return this.#running !== undefined
  }

  get isBusy(): boolean {
    return this.isWriting || this.#recovering !== undefined || this.follower.isReading
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.idle()
    await this.#recovering
  }

  #writer<Item, Result>(kind: BatchKind<Item, Result>): BatchWriter<Item, Result> {
    // Safe: a batch writer handles only items of the kind that is its key.
    const key = kind as unknown as BatchKind<never, never>
    let batchWriter = this.#writers.get(key) as BatchWriter<Item, Result> | undefined
    if (batchWriter === undefined) {
      batchWriter = new BatchWriter(kind, {
        organization: this.organization,
        database: this.#database,
        hasOtherWrites: () =>
          this.#single.length > 0 ||
          this.#sharing.length > 0 ||
          [...this.#writers].some(([other, { isWaiting }]) => other !== key && isWaiting),
        committed: (appended) => this.#committed(appended),
        failed: (writes, error) => this.#failed(writes, error),
        later: (resolve) => this.#results.push(resolve),
        resolveResults: () => this.#resolveResults(),
      })
      this.#writers.set(key, batchWriter as unknown as BatchWriter<never, never>)
    }
    return batchWriter
  }

  #onBehalfOf(actor: Actor, tx: OpenTransaction): ActorTx {
    return tx.as(this.#renew(tx.organization, actor))
  }

  #wake(): void {
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    // Lets writes that arrive in this turn of the event loop share the first batch.
    await Promise.resolve()
    for (let busy = true; busy;) {
      busy = false
      for (const batchWriter of this.#writers.values()) {
        if (!batchWriter.isWaiting) continue
        busy = true
        await batchWriter.run()
      }
      const turn = this.#nextTurn()
      if (turn !== undefined) {
        busy = true
        // Runs after the pool has sent the first statement, in its next tick.
        process.nextTick(() => this.#resolveResults())
        await turn
      }
    }
    this.#resolveResults()
    // Runs in the same turn of the event loop as the check for waiting writes, so the next call starts a new run.
    this.#running = undefined
  }

  /** Resolves the last turn's results while the database works on the next turn. */
  #resolveResults(): void {
    for (const resolve of this.#results.splice(0)) resolve()
  }

  #nextTurn(): Promise<void> | undefined {
    this.#hasShared = this.#sharing.length > 0 && (this.#single.length === 0 || !this.#hasShared)
    const actions = this.#hasShared ? this.#sharing.splice(0, MAX_SHARED_ACTIONS) : []
    if (actions.length > 1) return this.#share(actions)
    const action = actions[0] ?? this.#single.shift()
    if (action === undefined) return undefined
    return this.#transact(async (tx) => [await action.run(tx)]).catch((error: unknown) => this.#failed([action], error))
  }

  /** Runs actions together; if one fails, runs all again, one at a time. */
  async #share(actions: readonly SharingAction[]): Promise<void> {
    let late: readonly SharingAction[] = []
    const shareTransaction = (run: typeof runConcurrently) =>
      this.#transact(async (tx) => {
        const ran = await run(tx, actions)
        late = ran.late
        return ran.settled
      })
    try {
      await shareTransaction(runConcurrently).catch(async (error: unknown) => {
        if (!(error instanceof SharedTransactionError)) throw error
        await shareTransaction(runOneByOne)
      })
      this.#sharing.unshift(...late)
    } catch (error) {
      this.#failed(actions, error)
    }
  }

  async #transact(work: (tx: OpenTransaction) => Promise<readonly (() => void)[]>): Promise<void> {
    let settled: readonly (() => void)[] = []
    let takesRights = false
    const appended = await this.#database.transaction(async (db) => {
      const position = await this.#lock(db)
      await this.follower.reach(position, APPLY_TIMEOUT_MILLISECONDS)
      const tx = new OpenTransaction(this.organization, db, position)
      settled = await work(tx)
      await this.#record(tx, tx.emitted())
      takesRights = tx.takesRights
      return tx.append()
    })
    if (appended !== undefined) await this.#committed(appended)
    const confirmation =
      appended !== undefined && takesRights ? this.#reportRevocation(this.organization.id, appended.head) : undefined
    if (confirmation === undefined) this.#results.push(...settled)
    // Other writes continue while these results wait for the confirmation.
    else void confirmation.then(() => settled.forEach((resolve) => resolve()))
  }

  /** Locks the organization and returns its position. `for no key update` lets others insert rows that refer to it. */
  async #lock(db: Kysely<Tables>): Promise<number> {
    const silence = String(this.#silentLockMilliseconds)
    const row = await db
      .selectFrom('organizations')
      .select(['position', sql`set_config('idle_in_transaction_session_timeout', ${silence}, true)`.as('timeout')])
      .where('id', '=', this.organization.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => new DatabaseBehindError(`organization ${this.organization.id} is missing`))
    return row.position
  }

  async #committed(appended: AppendedEvents): Promise<void> {
    if (appended.rows.length === 0) return
    this.#bus.committed(this.organization.id, appended.head)
    await this.follower.appended(appended)
    this.#written()
  }

  #failed(writes: readonly PendingWrite[], error: unknown): void {
    for (const write of writes) write.reject(error)
    if (error instanceof ApiError || isRolledBack(error)) return
    this.#recovering ??= this.#recover().finally(() => (this.#recovering = undefined))
  }

  /** Reads the log, which alone shows whether the commit succeeded before the connection was lost. */
  async #recover(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.follower.catchUp()
        return
      } catch {
        // Retries silently: code that needs the database reports its outage.
        await sleep(REREAD_PAUSE_MILLISECONDS, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      }
    }
  }
}
