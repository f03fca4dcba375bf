import { steadySeconds } from '../../kernel/steady-time.ts'
import type { LiveQueue, QueueLimits } from './queue.ts'

/** Process time in seconds, unaffected by clock changes. */
export function seconds(): number {
  return Math.floor(steadySeconds())
}

/** Allowed idle seconds: the client's request, at least the general limit. */
export function idleSecondsOf({ lifespanSeconds }: { lifespanSeconds: number }, limits: QueueLimits): number {
  return Math.max(lifespanSeconds, limits.idleSeconds)
}

/** Whether a client is polling the queue or did so recently. */
export function isInUse(queue: LiveQueue, limits: QueueLimits): boolean {
  return queue.isWaitedFor || seconds() - queue.lastUsedAt <= idleSecondsOf(queue, limits)
}

/** Idle time after which a queue buffers no events. */
const KEPT_SECONDS = 60

/** Whether to buffer events for a queue. */
export function isKeptFor(queue: LiveQueue): boolean {
  return queue.isWaitedFor || seconds() - queue.lastUsedAt <= KEPT_SECONDS
}

/** A larger difference between clock and elapsed time means that the clock was changed. */
const SET_SECONDS = 5

/** Converts between process time and the UNIX time stored in rows, which processes with other clocks read. */
export class QueueClock {
  #ahead = unixSeconds() - seconds()
  #countsFrom = seconds()

  /** Converts process time to stored time. */
  stored(at: number): number {
    this.#look()
    return at + this.#ahead
  }

  /** Converts stored time to process time. */
  known(stored: number): number {
    this.#look()
    return stored - this.#ahead
  }

  /** Process time from which idle times in rows count: earlier, the server was down or the clock was different. */
  get countsFrom(): number {
    this.#look()
    return this.#countsFrom
  }

  #look(): void {
    const ahead = unixSeconds() - seconds()
    if (Math.abs(ahead - this.#ahead) > SET_SECONDS) this.#countsFrom = seconds()
    this.#ahead = ahead
  }
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
