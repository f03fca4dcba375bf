import { stopwatch } from '../../kernel/steady-time.ts'
import type { OrganizationLog } from './organization-log.ts'

/**
 * The log of an organization that this process has open or is opening, and how many use it. It stays open while anything that was begun
 * with it goes on. A handle that was looked up is used in the same turn of the event loop, in which it cannot be closed.
 */
export class LogHandle {
  /** Rejects where it cannot be opened. */
  readonly opening: Promise<OrganizationLog>
  #log: OrganizationLog | undefined
  #users = 0
  #uses = 0
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(opening: Promise<OrganizationLog>) {
    this.opening = opening
    opening.then(
      (log) => (this.#log = log),
      // Those that use it are told.
      () => undefined,
    )
  }

  /** The log, once it is open. */
  get log(): OrganizationLog | undefined {
    return this.#log
  }

  /** How often it was used so far. */
  get uses(): number {
    return this.#uses
  }

  get isInUse(): boolean {
    return this.#users > 0
  }

  /** When a request was served with it last, by the stopwatch. Work of the server itself does not count. */
  get usedAt(): number {
    return this.#usedAt
  }

  /** Notes that a request is served with it. */
  touch(): void {
    this.#usedAt = stopwatch.now()
  }

  /** Calls `work` with the log, at once where it is open. It stays open until what `work` returns has settled. */
  use<Result>(work: (log: OrganizationLog) => Result): Result | Promise<Awaited<Result>> {
    const log = this.#log
    if (log !== undefined) return this.#during(() => work(log))
    return this.#during(async (): Promise<Awaited<Result>> => await work(await this.opening))
  }

  /** Has the log stay open for as long as the process lives. */
  keep(): void {
    this.#users += 1
  }

  #during<Result>(work: () => Result): Result {
    this.#users += 1
    this.#uses += 1
    const end = (): void => {
      this.#users -= 1
    }
    let result: Result
    try {
      result = work()
    } catch (error) {
      end()
      throw error
    }
    // Thousands of polls are answered or parked at once, and no promise is made for them.
    if (result instanceof Promise) result.then(end, end)
    else end()
    return result
  }
}
