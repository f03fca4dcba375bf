import type { LogRow } from '../log/row.ts'

/** Ephemeral events of an organization that are kept for queues on their way: typing is over sooner, and clients ask for presence about as often. */
const RECENT_SECONDS = 60
const MAX_RECENT_EVENTS = 500

/** The latest ephemeral events of an organization, for queues that this process did not hold when they came. */
export class RecentEphemeral {
  #kept: { readonly row: LogRow; readonly heardAt: number }[] = []
  #count = 0

  /** How many have been heard so far: where `after` begins. */
  get count(): number {
    return this.#count
  }

  /** @param now in UNIX seconds */
  add(row: LogRow, now: number): void {
    this.#count += 1
    this.#kept.push({ row, heardAt: now })
    if (this.#kept.length > MAX_RECENT_EVENTS) this.#kept.shift()
    if ((this.#kept[0]?.heardAt ?? now) < now - RECENT_SECONDS) {
      this.#kept = this.#kept.filter(({ heardAt }) => heardAt >= now - RECENT_SECONDS)
    }
  }

  /** Those that came after so many, oldest first. */
  after(count: number): LogRow[] {
    const newer = Math.min(this.#count - count, this.#kept.length)
    return this.#kept.slice(this.#kept.length - newer).map(({ row }) => row)
  }

  /** Those that were heard in this second of UNIX time or later, oldest first. */
  since(seconds: number): LogRow[] {
    return this.#kept.filter(({ heardAt }) => heardAt >= seconds).map(({ row }) => row)
  }
}
