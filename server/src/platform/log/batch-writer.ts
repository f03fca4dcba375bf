import type { OrganizationState } from '../../kernel/projection.ts'
import type { Database, Connection } from '../db/database.ts'
import { countBatch } from '../metrics/counts.ts'
import { isOvertaken, isRolledBack } from './failures.ts'
import type { Appended } from './row.ts'

/** Writes of one kind that share a statement, a flush and a turn of the organization's lock. */
export interface BatchKind<Item, Result> {
  readonly name: string
  readonly maxItems: number
  /**
   * How many make a batch that is sent while the one before is on its way. Fewer wait for each other: what a statement and its
   * flush cost, whatever is in them, would be most of it. Without, none is sent ahead.
   */
  readonly minAhead?: number
  /** Asked again when the item's turn has come: what was allowed when it arrived may not be any more. @throws Refusal */
  check?(organization: OrganizationState, item: Item): void
  /**
   * Writes all items in one statement that takes their positions itself, and asks for it before it returns. It must change no
   * projection: the batch before may be committed and not applied yet.
   * @returns one result for each item, in order
   */
  write(connection: Connection, organization: OrganizationState, items: readonly Item[]): Promise<Written<Result>>
}

type Written<Result> = Appended & { readonly results: readonly Result[] }

/** Something that waits to be written. */
export interface Pending {
  reject(error: unknown): void
}

/** What a batch writer needs of its log. */
export interface BatchWriterOwner {
  readonly organization: OrganizationState
  readonly database: Database
  /** Whether something that is not in this batch writer waits for its turn. */
  isWanted(): boolean
  /** Announces, applies and delivers what a batch appended. */
  committed(appended: Appended): Promise<void>
  failed(writes: readonly Pending[], error: unknown): void
  /** Keeps what is to be called when there is time for it. */
  later(tell: () => void): void
  /** Calls what was kept: the database is busy meanwhile. */
  tell(): void
}

interface PendingItem<Item, Result> extends Pending {
  readonly item: Item
  readonly resolve: (result: Result) => void
}

/** A batch on its way. */
interface BatchInFlight {
  readonly size: number
  /** Whether the connection is of use for another batch. Never rejects. */
  readonly done: Promise<boolean>
}

/** How often a statement may be overtaken by another server's before its item is refused. */
const MAX_ATTEMPTS = 5

/** Items of one kind that wait for their turn in an organization. */
export class BatchWriter<Item, Result> {
  readonly #kind: BatchKind<Item, Result>
  readonly #owner: BatchWriterOwner
  #queue: PendingItem<Item, Result>[] = []
  #arrived: () => void = () => undefined

  constructor(kind: BatchKind<Item, Result>, owner: BatchWriterOwner) {
    this.#kind = kind
    this.#owner = owner
  }

  get isWaiting(): boolean {
    return this.#queue.length > 0
  }

  push(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject })
      this.#arrived()
    })
  }

  /**
   * Writes what waits, and what comes meanwhile unless something else waits for its turn. As soon as as many wait as are on
   * their way, if that is enough, they are sent behind them: then the database need not wait for this process between two.
   */
  async run(): Promise<void> {
    let connection: Connection
    try {
      connection = await this.#owner.database.connection()
    } catch (error) {
      this.#owner.failed(this.#queue.splice(0), error)
      return
    }
    let isUsable = true
    const inFlight: BatchInFlight[] = []
    const send = (): void => {
      const before = inFlight.at(-1)
      const least = before === undefined ? 1 : Math.max(before.size, this.#kind.minAhead ?? Infinity)
      if (!isUsable || this.#queue.length < least || (before !== undefined && this.#owner.isWanted())) return
      const batch = this.#queue.splice(0, this.#kind.maxItems)
      inFlight.push({ size: batch.length, done: this.#write(connection, batch, before?.done) })
    }
    send()
    // More may wait than fit into one.
    send()
    this.#arrived = () => {
      // What arrives in this turn of the event loop goes together.
      if (inFlight.length === 1) queueMicrotask(() => inFlight.length === 1 && send())
    }
    this.#owner.tell()
    for (let [first] = inFlight; first !== undefined; [first] = inFlight) {
      isUsable = (await first.done) && isUsable
      inFlight.shift()
      if (inFlight.length > 0 || !this.#owner.isWanted()) send()
      if (inFlight.length > 0) this.#owner.tell()
    }
    this.#arrived = () => undefined
    connection.release(isUsable)
  }

  async #write(
    connection: Connection,
    waiting: readonly PendingItem<Item, Result>[],
    before: Promise<boolean> | undefined,
    attempt = 1,
  ): Promise<boolean> {
    const batch = waiting.filter((pending) => {
      try {
        this.#kind.check?.(this.#owner.organization, pending.item)
        return true
      } catch (error) {
        pending.reject(error)
        return false
      }
    })
    if (batch.length === 0) return true
    const items = batch.map((pending) => pending.item)
    let written: Written<Result>
    try {
      written = await this.#kind.write(connection, this.#owner.organization, items)
    } catch (error) {
      if (!isRolledBack(error) || !(batch.length > 1 || (isOvertaken(error) && attempt < MAX_ATTEMPTS))) {
        this.#owner.failed(batch, error)
        return isRolledBack(error)
      }
      let isUsable = true
      for (const pending of batch)
        isUsable = (await this.#write(connection, [pending], before, attempt + 1)) && isUsable
      return isUsable
    }
    // Applied in the order of the log, also where the one before had to be written again.
    await before
    try {
      await this.#owner.committed(written)
      countBatch(this.#kind.name, items.length)
      this.#owner.later(() => {
        for (const [index, pending] of batch.entries()) pending.resolve(written.results[index] as Result)
      })
    } catch (error) {
      this.#owner.failed(batch, error)
    }
    return true
  }
}
