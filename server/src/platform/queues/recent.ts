import type { LogRow } from '../log/row.ts'

/** Typing expires sooner, and clients poll presence about as often. */
const RECENT_SECONDS = 60
const MAX_RECENT_EVENTS = 500

/** Events for queues that this process did not hold when they occurred. */
export class RecentEphemeral {
  #kept: { readonly row: LogRow; readonly heardAt: number }[] = []
  #count = 0

  /** Returns the argument for `after`. */
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

  after(count: number): LogRow[] {
    const newer = Math.min(this.#count - count, this.#kept.length)
    return this.#kept.slice(this.#kept.length - newer).map(({ row }) => row)
  }

  /** Returns events since a time in UNIX seconds, oldest first. */
  since(seconds: number): LogRow[] {
    return this.#kept.filter(({ heardAt }) => heardAt >= seconds).map(({ row }) => row)
  }
}
