import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx, Db, SharedActorTx, SnapshotDb, Tx } from '../../kernel/transaction.ts'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Database } from '../db/database.ts'
import { DatabaseBehind } from '../db/unavailable.ts'
import type { Follower } from './follower.ts'
import { eventName, type EventDeclaration } from '../../kernel/event.ts'
import type { Audience } from '../../kernel/audience.ts'
import type { Bus } from '../bus/bus.ts'
import type { Appended, Emitted, EphemeralRow } from './row.ts'
import { isRolledBack } from './failures.ts'
import { BatchWriter, type BatchKind, type Pending } from './batch-writer.ts'
import { OpenTransaction } from './open-transaction.ts'
import { positionOf } from './organization-state.ts'
import type { Subject } from './overlap.ts'
import { atOnce, Entangled, oneByOne, type PendingAction, type SharingAction } from './sharing.ts'

/**
 * Actions that share one transaction at most, so that the first does not wait long for the last. Those of one kind run at
 * once: where this process is busy, each of their round trips takes as long for all of them as for one.
 */
const MAX_TOGETHER = 128

/** The actor as the state has it now. @throws Refusal USER_DEACTIVATED when the account has ended */
export type RenewActor = (organization: OrganizationState, actor: Actor) => Actor

/**
 * Hears that rights were taken away up to a position of the log.
 * @returns what resolves when other nodes have applied it, or are not waited for any longer; undefined where there are none
 */
export type TellOfRights = (organizationId: number, position: number) => Promise<void> | undefined

/** Writes what has to stand beside the events of a transaction, as its last step before these are written. */
export type RecordEvents = (tx: Tx, emitted: readonly Emitted[]) => Promise<void>

/** Pause between attempts to read the log again after a connection was lost. */
const RECOVERY_MILLISECONDS = 200

/** Snapshot reads that give up because the organization never stood still, before they take its lock. */
const SNAPSHOT_ATTEMPTS = 5

/**
 * The one writer of an organization in this process. Every durable change passes here, one commit after the other;
 * everything of one batch kind that arrived during a commit goes into the next as one statement. (The organization's
 * row lock is held until the flush; with a transaction each, writers would queue for it: 890 sends/s against 29,000.)
 */
export class OrganizationLog {
  readonly follower: Follower
  readonly #database: Database
  readonly #bus: Pick<Bus, 'committed' | 'ephemeral'>
  readonly #writers = new Map<BatchKind<never, never>, BatchWriter<never, never>>()
  readonly #single: PendingAction[] = []
  /** Those that may share a transaction. */
  readonly #together: SharingAction[] = []
  #wasTogether = false
  readonly #renew: RenewActor
  readonly #record: RecordEvents
  readonly #tellOfRights: TellOfRights
  readonly #written: () => void
  /** Of what is durable and applied, for `#run` to give. */
  readonly #results: (() => void)[] = []
  #running: Promise<void> | undefined
  #recovering: Promise<void> | undefined
  readonly #closing = new AbortController()

  /** @param written hears that this process has written to the log, once that is applied */
  constructor(
    follower: Follower,
    database: Database,
    bus: Pick<Bus, 'committed' | 'ephemeral'>,
    {
      renew,
      record,
      tellOfRights,
    }: { readonly renew: RenewActor; readonly record: RecordEvents; readonly tellOfRights: TellOfRights },
    written: () => void,
  ) {
    this.#tellOfRights = tellOfRights
    this.#renew = renew
    this.#record = record
    this.#written = written
    this.follower = follower
    this.#database = database
    this.#bus = bus
  }

  get organization(): OrganizationState {
    return this.follower.organization
  }

  /** For what a write asks before its transaction, so that it does not wait behind reads. */
  get lookups(): Db {
    return this.#database.lookups
  }

  /**
   * Runs an action in a transaction of its own, alone in the organization. When it returns, the change is durable
   * and applied in this process; one that takes rights away also in the others. What the action throws undoes everything.
   */
  act<Result>(actor: Actor, action: (tx: ActorTx) => Promise<Result>): Promise<Result> {
    return this.#enqueue(
      (pending) => this.#single.push(pending),
      (tx) => action(this.#onBehalfOf(actor, tx)),
    )
  }

  /**
   * Runs a frequent small write: those that wait share a transaction and a flush, and run at once where they are about
   * different things. What one of them throws undoes it alone; for that all of them may run once more, so that an action
   * does nothing outside its transaction. The type of that lets it change no projection, since each sees the state as it
   * was before the first.
   */
  actTogether<Result>(actor: Actor, subject: Subject, action: (tx: SharedActorTx) => Promise<Result>): Promise<Result> {
    return this.#enqueue(
      (pending) => this.#together.push({ ...pending, subject }),
      (tx) => action(this.#onBehalfOf(actor, tx)),
    )
  }

  /** Writes without an actor: for the first start and jobs. */
  write<Result>(action: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#enqueue((pending) => this.#single.push(pending), action)
  }

  /** Writes for those who run the server, by a command: what is noted of it says so. */
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

  /** Puts one item into the next batch of its kind. */
  batch<Item, Result>(kind: BatchKind<Item, Result>, item: Item): Promise<Result> {
    const result = this.#writer(kind).push(item)
    this.#wake()
    return result
  }

  /**
   * Tells the audience's queues that are in use now, through every process, and to no later queue: a user types, is
   * there. It is in no log and changes nothing.
   * @param payload what the event's binding presents it from; with the audience, less than 7,500 bytes
   */
  publishEphemeral(event: EventDeclaration, payload: EphemeralRow['payload'], audience: Audience): void {
    if (event.isEphemeral !== true) throw new Error(`${eventName(event)} is not declared as ephemeral`)
    const { id: organizationId, position } = this.organization
    this.#bus.ephemeral({ organizationId, position, type: eventName(event), payload, audience })
  }

  /**
   * Reads the database and the projections at one and the same position.
   * @param observe looks at the projections, while the database reads; must not wait
   * @param read reads the database in a transaction that stands at the same position
   */
  async snapshot<Observed, Result>(
    observe: (organization: OrganizationState) => Observed,
    read: (db: SnapshotDb) => Promise<Result>,
  ): Promise<{ position: number; observed: Observed; read: Result }> {
    const missed = Symbol('missed')
    for (let attempt = 1; ; attempt += 1) {
      const locked = attempt > SNAPSHOT_ATTEMPTS
      const reading = async (db: SnapshotDb) => {
        const position = await positionOf(db, this.organization.id)
        const take = () => {
          const rows = read(db)
          // Waited for in a moment, and may fail before.
          rows.catch(() => undefined)
          return { rows, observed: observe(this.organization) }
        }
        const taken = await this.follower.at(position, take, locked ? LOCK_MILLISECONDS : undefined)
        return taken === undefined ? missed : { position, observed: taken.observed, read: await taken.rows }
      }
      const result = await (locked
        ? this.#database.transaction(async (db) => {
            await lockOrganization(db, this.organization.id)
            return reading(db)
          })
        : this.#database.snapshot(reading))
      if (result !== missed) return result
    }
  }

  get isWriting(): boolean {
    return this.#running !== undefined
  }

  /** Whether it is written, or read for what others have written. */
  get isBusy(): boolean {
    return this.isWriting || this.#recovering !== undefined || this.follower.isReading
  }

  /** Resolves when nothing is being written any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Resolves when nothing is being written any more, and stops trying to read what a lost connection left unknown. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.idle()
    await this.#recovering
  }

  #writer<Item, Result>(kind: BatchKind<Item, Result>): BatchWriter<Item, Result> {
    // A batch writer is only ever filled and emptied with the items of the kind it is stored under.
    const key = kind as unknown as BatchKind<never, never>
    let batchWriter = this.#writers.get(key) as BatchWriter<Item, Result> | undefined
    if (batchWriter === undefined) {
      batchWriter = new BatchWriter(kind, {
        organization: this.organization,
        database: this.#database,
        isWanted: () =>
          this.#single.length > 0 ||
          this.#together.length > 0 ||
          [...this.#writers].some(([other, { isWaiting }]) => other !== key && isWaiting),
        committed: (appended) => this.#committed(appended),
        failed: (writes, error) => this.#failed(writes, error),
        later: (tell) => this.#results.push(tell),
        tell: () => this.#tell(),
      })
      this.#writers.set(key, batchWriter as unknown as BatchWriter<never, never>)
    }
    return batchWriter
  }

  /** With the rights the actor has now: they may have changed since the request arrived. */
  #onBehalfOf(actor: Actor, tx: OpenTransaction): ActorTx {
    return tx.as(this.#renew(tx.organization, actor))
  }

  #wake(): void {
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    // What arrives in this turn of the event loop shares the first batch.
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
        // Not before the first statement is on its way, which the pool sends in its next tick.
        process.nextTick(() => this.#tell())
        await turn
      }
    }
    this.#tell()
    // This is the same turn in which nothing was found waiting, so that the next call starts the next run.
    this.#running = undefined
  }

  /** Gives those of the last turn their results; best while the database is busy with the next: each answer takes a while. */
  #tell(): void {
    for (const tell of this.#results.splice(0)) tell()
  }

  /** Runs those that may share a transaction, or an action that may not, in turns; undefined where none waits. */
  #nextTurn(): Promise<void> | undefined {
    this.#wasTogether = this.#together.length > 0 && (this.#single.length === 0 || !this.#wasTogether)
    const actions = this.#wasTogether ? this.#together.splice(0, MAX_TOGETHER) : []
    if (actions.length > 1) return this.#share(actions)
    const action = actions[0] ?? this.#single.shift()
    if (action === undefined) return undefined
    return this.#transact(async (tx) => [await action.run(tx)]).catch((error: unknown) => this.#failed([action], error))
  }

  /** Runs actions in one transaction. When one of several that run at once fails, all run once more, each by itself. */
  async #share(actions: readonly SharingAction[]): Promise<void> {
    let late: readonly SharingAction[] = []
    const sharing = (run: typeof atOnce) =>
      this.#transact(async (tx) => {
        const ran = await run(tx, actions)
        late = ran.late
        return ran.settled
      })
    try {
      await sharing(atOnce).catch(async (error: unknown) => {
        if (!(error instanceof Entangled)) throw error
        await sharing(oneByOne)
      })
      this.#together.unshift(...late)
    } catch (error) {
      this.#failed(actions, error)
    }
  }

  /** @param work returns what is to be called when all is durable and applied */
  async #transact(work: (tx: OpenTransaction) => Promise<readonly (() => void)[]>): Promise<void> {
    let settled: readonly (() => void)[] = []
    let takesRights = false
    const appended = await this.#database.transaction(async (db) => {
      const position = await lockOrganization(db, this.organization.id)
      await this.follower.reach(position, LOCK_MILLISECONDS)
      const tx = new OpenTransaction(this.organization, db, position)
      settled = await work(tx)
      await this.#record(tx, tx.emitted())
      takesRights = tx.takesRights
      return tx.append()
    })
    if (appended !== undefined) await this.#committed(appended)
    const told =
      appended !== undefined && takesRights ? this.#tellOfRights(this.organization.id, appended.head) : undefined
    if (told === undefined) this.#results.push(...settled)
    // Others go on writing meanwhile.
    else void told.then(() => settled.forEach((tell) => tell()))
  }

  async #committed(appended: Appended): Promise<void> {
    if (appended.rows.length === 0) return
    this.#bus.committed(this.organization.id, appended.head)
    await this.follower.appended(appended)
    this.#written()
  }

  #failed(writes: readonly Pending[], error: unknown): void {
    for (const write of writes) write.reject(error)
    if (error instanceof Refusal || isRolledBack(error)) return
    this.#recovering ??= this.#recover().finally(() => (this.#recovering = undefined))
  }

  /**
   * After a lost connection it is unknown whether the commit happened. The log says it, and with no later commit nothing
   * else would make this process look.
   */
  async #recover(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.follower.catchUp()
        return
      } catch {
        // The database is away, which the code that needs it reports.
        await sleep(RECOVERY_MILLISECONDS, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      }
    }
  }
}

/** A process that holds an organization's lock and is silent for this long has frozen, or its machine is gone. */
const SILENT_LOCK_SECONDS = 2
/** With the lock, the log is waited for no longer than the database waits for the transaction. */
const LOCK_MILLISECONDS = SILENT_LOCK_SECONDS * 1_000

/**
 * Takes the lock, which the database takes back from a process that falls silent. Rows that name the organization can
 * be inserted meanwhile, outside its writes: it is no key that is locked.
 * @returns the organization's position
 */
async function lockOrganization(db: Kysely<Tables>, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('organizations')
    .select([
      'position',
      sql`set_config('idle_in_transaction_session_timeout', ${`${SILENT_LOCK_SECONDS}s`}, true)`.as('timeout'),
    ])
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new DatabaseBehind(`organization ${organizationId} is not there`))
  return row.position
}
