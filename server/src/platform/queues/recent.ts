import type { LogRow } from '../log/row.ts'

/**
 * How long ephemeral events are kept for queues that move between servers: typing expires sooner, and clients poll
 * presence about as often.
 */
const RECENT_SECONDS = 60
const MAX_RECENT_EVENTS = 500

/** Recent ephemeral events, for queues that this process did not hold when they occurred. */
export class RecentEphemeral {
  #kept: { readonly row: LogRow; readonly heardAt: number }[] = []
  #count = 0

  /** Number of events so far; the argument of `after`. */
  get count(): number {
    return this.#count
  }

  /** @param now UNIX seconds */
  add(row: LogRow, now: number): void {
    this.#count += 1
    this.#kept.push({ row, heardAt: now })
    if (this.#kept.length > MAX_RECENT_EVENTS) this.#kept.shift()
    if ((this.#kept[0]?.heardAt ?? now) < now - RECENT_SECONDS) {
      this.#kept = this.#kept.filter(({ heardAt }) => heardAt >= now - RECENT_SECONDS)
    }
  }

  /** Events after the first `count`, oldest first. */
  after(count: number): LogRow[] {
    const newer = Math.min(this.#count - count, this.#kept.length)
    return this.#kept.slice(this.#kept.length - newer).map(({ row }) => row)
  }

  /** Events since a time in UNIX seconds, oldest first. */
  since(seconds: number): LogRow[] {
    return this.#kept.filter(({ heardAt }) => heardAt >= seconds).map(({ row }) => row)
  }
}
