import { messageOf } from '../../kernel/phrases.ts'
import type { Logger } from '../logger.ts'
import { isUnavailable } from './unavailable.ts'

/** Delay before a failure is logged. If an outage is reported in the meantime, the failure is not logged separately. */
const REPORT_DELAY_MILLISECONDS = 1_000
const REPEAT_INTERVAL_MILLISECONDS = 60_000
const MAX_REPORTED_REASONS = 20

interface OutageOptions {
  readonly noticeMilliseconds?: number
  readonly againMilliseconds?: number
}

/** Logs an outage and its end once, and suppresses other failures with the same cause. */
export class Outage {
  readonly failed = (error: Error): void =>
    this.report(error, 'database connection', { err: undefined, reason: messageOf(error) })
  readonly #logger: Pick<Logger, 'warn' | 'error'>
  readonly #noticeMilliseconds: number
  readonly #againMilliseconds: number
  readonly #reasons = new Set<string>()
  readonly #waiting = new Set<() => void>()
  #since: number | undefined
  #saidAt = -Infinity
  #endedAt = -Infinity
  #isClosed = false

  constructor(logger: Pick<Logger, 'warn' | 'error'>, options: OutageOptions = {}) {
    this.#logger = logger
    this.#noticeMilliseconds = options.noticeMilliseconds ?? REPORT_DELAY_MILLISECONDS
    this.#againMilliseconds = options.againMilliseconds ?? REPEAT_INTERVAL_MILLISECONDS
  }

  /** Reports that the monitored connection is lost or cannot be established. */
  lost(error: unknown): void {
    if (this.#isClosed) return
    const now = performance.now()
    this.#since ??= now
    const reason = messageOf(error)
    const isNew = !this.#reasons.has(reason) && this.#reasons.size < MAX_REPORTED_REASONS
    if (!isNew && now - this.#saidAt < this.#againMilliseconds) return
    this.#reasons.add(reason)
    this.#saidAt = now
    // Logged as a warning, because the logger withholds repeated errors, possibly until after the recovery.
    this.#logger.warn({ reason, seconds: secondsBetween(this.#since, now) }, 'database unreachable')
  }

  connected(): void {
    if (this.#since === undefined) return
    this.#endedAt = performance.now()
    const seconds = secondsBetween(this.#since, this.#endedAt)
    this.#since = undefined
    this.#reasons.clear()
    this.#logger.warn({ seconds }, 'database reachable again')
  }

  /** Logs a failure unless an outage caused it. */
  report(error: unknown, message: string, details: object = {}): void {
    if (this.#isClosed) return
    if (!isUnavailable(error)) {
      this.#logger.error({ err: error, ...details }, message)
      return
    }
    const at = performance.now()
    const logOutage = (): void => {
      // Omits the error's stack, which does not help if the database is overloaded.
      const said = { ...details, reason: messageOf(error) }
      if (this.#waiting.delete(logOutage) && !this.#wasAway(at)) this.#logger.error(said, message)
    }
    this.#waiting.add(logOutage)
    setTimeout(logOutage, this.#noticeMilliseconds).unref()
  }

  /** Logs pending failures. Ignores later connection losses, which are part of the shutdown. */
  close(): void {
    for (const say of this.#waiting) say()
    this.#isClosed = true
  }

  #wasAway(at: number): boolean {
    return this.#since !== undefined || this.#endedAt >= at - this.#noticeMilliseconds
  }
}

function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 1_000)
}
