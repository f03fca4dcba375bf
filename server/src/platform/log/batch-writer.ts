import type { OrganizationState } from '../../kernel/projection.ts'
import type { Database, Connection } from '../db/database.ts'
import { countBatch } from '../metrics/counts.ts'
import { isConflict, isRolledBack } from '../db/unavailable.ts'
import type { AppendedEvents } from './row.ts'

export interface BatchKind<Item, Result> {
  readonly name: string
  readonly maxItems: number
  /** Minimum size of a batch sent while the previous one is in flight, because a statement has a fixed cost. */
  readonly minAhead?: number
  /** Checks an item. Called again when the item is written, because permissions may have changed. @throws ApiError */
  check?(organization: OrganizationState, item: Item): void
  /** Sends a statement for all items before it returns. Must not change projections: they can lack the last batch. */
  write(connection: Connection, organization: OrganizationState, items: readonly Item[]): Promise<BatchResult<Result>>
}

type BatchResult<Result> = AppendedEvents & { readonly results: readonly Result[] }

export interface PendingWrite {
  reject(error: unknown): void
}

export interface BatchWriterOwner {
  readonly organization: OrganizationState
  readonly database: Database
  hasOtherWrites(): boolean
  committed(appended: AppendedEvents): Promise<void>
  failed(writes: readonly PendingWrite[], error: unknown): void
  later(resolve: () => void): void
  resolveResults(): void
}

interface PendingItem<Item, Result> extends PendingWrite {
  readonly item: Item
  readonly resolve: (result: Result) => void
}

interface BatchInFlight {
  readonly itemCount: number
  readonly done: Promise<boolean>
}

/** Attempts before items are refused. Each attempt can fail because of another server's commit. */
const MAX_ATTEMPTS = 5

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

  /** Sends the next batch early if it is as large as the batch in flight, so that the database need not wait. */
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
      const least = before === undefined ? 1 : Math.max(before.itemCount, this.#kind.minAhead ?? Infinity)
      if (!isUsable || this.#queue.length < least || (before !== undefined && this.#owner.hasOtherWrites())) return
      const batch = this.#queue.splice(0, this.#kind.maxItems)
      inFlight.push({ itemCount: batch.length, done: this.#write(connection, batch, before?.done) })
    }
    send()
    send()
    this.#arrived = () => {
      // Waits for items that arrive in the same turn of the event loop, to share a batch.
      if (inFlight.length === 1) queueMicrotask(() => inFlight.length === 1 && send())
    }
    this.#owner.resolveResults()
    for (let [first] = inFlight; first !== undefined; [first] = inFlight) {
      isUsable = (await first.done) && isUsable
      inFlight.shift()
      if (inFlight.length > 0 || !this.#owner.hasOtherWrites()) send()
      if (inFlight.length > 0) this.#owner.resolveResults()
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
    let written: BatchResult<Result>
    try {
      written = await this.#kind.write(connection, this.#owner.organization, items)
    } catch (error) {
      if (!isRolledBack(error) || !(batch.length > 1 || (isConflict(error) && attempt < MAX_ATTEMPTS))) {
        this.#owner.failed(batch, error)
        return isRolledBack(error)
      }
      let isUsable = true
      for (const pending of batch)
        isUsable = (await this.#write(connection, [pending], before, attempt + 1)) && isUsable
      return isUsable
    }
    // Keeps the order of the log, even if the previous batch had to be written again.
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
