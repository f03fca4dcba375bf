import { stopwatch } from '../../kernel/steady-time.ts'
import type { OrganizationLog } from './organization-log.ts'

/** Keeps a log open while it is in use. Use a handle only in the event loop turn in which you looked it up. */
export class LogHandle {
  readonly opening: Promise<OrganizationLog>
  #log: OrganizationLog | undefined
  #users = 0
  #uses = 0
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(opening: Promise<OrganizationLog>) {
    this.opening = opening
    opening.then(
      (log) => (this.#log = log),
      // Ignores the error, which callers that await `opening` receive.
      () => undefined,
    )
  }

  get log(): OrganizationLog | undefined {
    return this.#log
  }

  get uses(): number {
    return this.#uses
  }

  get isInUse(): boolean {
    return this.#users > 0
  }

  get usedAt(): number {
    return this.#usedAt
  }

  touch(): void {
    this.#usedAt = stopwatch.now()
  }

  use<Result>(work: (log: OrganizationLog) => Result): Result | Promise<Awaited<Result>> {
    const log = this.#log
    if (log !== undefined) return this.#during(() => work(log))
    return this.#during(async (): Promise<Awaited<Result>> => await work(await this.opening))
  }

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
    // Avoids promises if possible, so that thousands of polls are answered or parked in one turn of the event loop.
    if (result instanceof Promise) result.then(end, end)
    else end()
    return result
  }
}
