import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Appended, LogRow } from './row.ts'
import type { FoldedWorld } from './world.ts'

/** How many events one read of the log takes. */
const READ_EVENTS = 2_000

interface Waiter {
  readonly position: number
  readonly run: (exact: boolean) => void
}

/**
 * Reads the log in order, folds it, and hands each event on. What this process commits is folded at once; what
 * others commit is read when a wake-up or a gap in positions shows that it is there.
 */
export class Follower {
  readonly world: FoldedWorld
  readonly #db: Kysely<Tables>
  readonly #deliver: (row: LogRow) => void
  readonly #hydrate: (rows: readonly LogRow[]) => Promise<void>
  #waiters: Waiter[] = []
  #reading: Promise<void> | undefined
  #readAgain = false

  constructor(
    world: FoldedWorld,
    db: Kysely<Tables>,
    hydrate: (rows: readonly LogRow[]) => Promise<void>,
    deliver: (row: LogRow) => void,
  ) {
    this.world = world
    this.#db = db
    this.#hydrate = hydrate
    this.#deliver = deliver
  }

  /** Folds what a commit of this process appended; resolves when the world has reached it. */
  async appended(commit: Appended): Promise<void> {
    if (commit.base === this.world.position) {
      for (const row of commit.rows) this.#step(row)
    } else if (this.world.position < commit.head) {
      await this.reach(commit.head)
    }
  }

  /** Resolves when everything committed before the call is folded. */
  async catchUp(): Promise<void> {
    this.#readAgain = true
    this.#reading ??= this.#read()
    await this.#reading
  }

  async reach(position: number): Promise<void> {
    while (this.world.position < position) await this.catchUp()
  }

  /**
   * Runs `observe` when the world stands exactly at `position`, which some commit ended at.
   * @returns its result, or undefined when the world is already past it
   */
  async at<Result>(position: number, observe: () => Result): Promise<Result | undefined> {
    if (this.world.position === position) return observe()
    if (this.world.position > position) return undefined
    const result = new Promise<Result | undefined>((resolve, reject) => {
      this.#waiters.push({
        position,
        run: (exact) => {
          try {
            resolve(exact ? observe() : undefined)
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
      })
    })
    await this.reach(position)
    return result
  }

  async #read(): Promise<void> {
    try {
      await this.#readToEnd()
    } finally {
      // In the same turn in which nothing was left to read, so that whoever comes next starts the next reading.
      this.#reading = undefined
    }
  }

  async #readToEnd(): Promise<void> {
    while (this.#readAgain) {
      this.#readAgain = false
      const rows = await this.#db
        .selectFrom('events')
        .select(['position', 'type', 'ref_id as refId', 'audience', 'payload', 'changes'])
        .where('organization_id', '=', this.world.organizationId)
        .where('position', '>', this.world.position)
        .orderBy('position')
        .limit(READ_EVENTS)
        .execute()
      // The columns are jsonb of exactly these shapes; only this module's writer fills them.
      const events = (rows as LogRow[]).filter((row) => row.position > this.world.position)
      await this.#hydrate(events)
      for (const row of events) if (row.position > this.world.position) this.#step(row)
      if (rows.length === READ_EVENTS) this.#readAgain = true
    }
  }

  #step(row: LogRow): void {
    this.world.fold(row)
    this.#deliver(row)
    if (this.#waiters.length === 0) return
    const due = this.#waiters.filter((waiter) => waiter.position <= row.position)
    this.#waiters = this.#waiters.filter((waiter) => waiter.position > row.position)
    for (const waiter of due) waiter.run(waiter.position === row.position)
  }
}
