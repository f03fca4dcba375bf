import { messageOf } from '../../kernel/message-of.ts'
import type { Logger } from '../logger.ts'
import { isUnavailable } from './unavailable.ts'

/** What other connections say of a database that goes away may come so much before the connection that tells it notices. */
const NOTICE_MILLISECONDS = 1_000
/** For as long as it is away, that is said so often. */
const AGAIN_MILLISECONDS = 60_000
/** Different reasons are said at once, as while it stops and then is not there: no more than these. */
const MOST_REASONS = 20

interface OutageOptions {
  readonly noticeMilliseconds?: number
  readonly againMilliseconds?: number
}

/**
 * Says in the log that the database is away, for as long as it is, and once that it is back. All else that fails for this reason
 * is not said besides: each piece of housekeeping would have the same to say.
 */
export class Outage {
  /** Hears of connections that fail. Only the message is said: pg hangs the whole client on the error. */
  readonly failed = (error: Error): void =>
    this.report(error, 'database connection', { err: undefined, reason: messageOf(error) })
  readonly #logger: Pick<Logger, 'warn' | 'error'>
  readonly #noticeMilliseconds: number
  readonly #againMilliseconds: number
  readonly #reasons = new Set<string>()
  /** What is said in a moment, unless the database was away then. */
  readonly #waiting = new Set<() => void>()
  #since: number | undefined
  #saidAt = -Infinity
  #endedAt = -Infinity
  #isClosed = false

  constructor(logger: Pick<Logger, 'warn' | 'error'>, options: OutageOptions = {}) {
    this.#logger = logger
    this.#noticeMilliseconds = options.noticeMilliseconds ?? NOTICE_MILLISECONDS
    this.#againMilliseconds = options.againMilliseconds ?? AGAIN_MILLISECONDS
  }

  /** The connection is lost that tells whether the database is there, or it could not be made. */
  lost(error: unknown): void {
    if (this.#isClosed) return
    const now = performance.now()
    this.#since ??= now
    const reason = messageOf(error)
    const isNew = !this.#reasons.has(reason) && this.#reasons.size < MOST_REASONS
    if (!isNew && now - this.#saidAt < this.#againMilliseconds) return
    this.#reasons.add(reason)
    this.#saidAt = now
    // By the same way as that it is back: what is counted there and said later would come after it.
    this.#logger.warn({ reason, seconds: secondsBetween(this.#since, now) }, 'the database is away')
  }

  connected(): void {
    if (this.#since === undefined) return
    this.#endedAt = performance.now()
    const seconds = secondsBetween(this.#since, this.#endedAt)
    this.#since = undefined
    this.#reasons.clear()
    this.#logger.warn({ seconds }, 'the database is back')
  }

  /**
   * Says what failed, where it did not fail since the database is away.
   * @param details are said with it
   */
  report(error: unknown, message: string, details: object = {}): void {
    if (this.#isClosed) return
    if (!isUnavailable(error)) {
      this.#logger.error({ err: error, ...details }, message)
      return
    }
    const at = performance.now()
    const say = (): void => {
      // Its stack says nothing of a database that is too busy.
      const said = { ...details, reason: messageOf(error) }
      if (this.#waiting.delete(say) && !this.#wasAway(at)) this.#logger.error(said, message)
    }
    this.#waiting.add(say)
    setTimeout(say, this.#noticeMilliseconds).unref()
  }

  /** What is lost from here on is lost on purpose. What failed before is said. */
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
