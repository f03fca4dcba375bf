import { steadySeconds } from '../../kernel/steady-time.ts'
import type { LiveQueue, QueueLimits } from './queue.ts'

/** The time of this process, in seconds, which goes on evenly however its clock is set. */
export function seconds(): number {
  return Math.floor(steadySeconds())
}

/** The seconds that a queue may be without use: what its client asked for, but no less than the limit for all queues. */
export function idleSecondsOf({ lifespanSeconds }: { lifespanSeconds: number }, limits: QueueLimits): number {
  return Math.max(lifespanSeconds, limits.idleSeconds)
}

/** Whether a client waits at the queue, or did so recently enough. */
export function isInUse(queue: LiveQueue, limits: QueueLimits): boolean {
  return queue.isWaitedFor || seconds() - queue.lastUsedAt <= idleSecondsOf(queue, limits)
}

/** A queue that was not asked for this long keeps no events in memory. */
const KEPT_SECONDS = 60

/** Whether events are kept in memory for the client of a queue. */
export function isKeptFor(queue: LiveQueue): boolean {
  return queue.isWaitedFor || seconds() - queue.lastUsedAt <= KEPT_SECONDS
}

/** A clock that says something else than the time that has passed by more than this was set. */
const SET_SECONDS = 5

/** What rows say, which processes with other clocks read, is UNIX time; what this process counts with is its own time. */
export class QueueClock {
  #ahead = unixSeconds() - seconds()
  #countsFrom = seconds()

  /** What has to stand in a row for a time of this process. */
  stored(at: number): number {
    this.#look()
    return at + this.#ahead
  }

  /** The time of this process for what stands in a row. */
  known(stored: number): number {
    this.#look()
    return stored - this.#ahead
  }

  /**
   * From when on rows tell how long a queue was without use: before, the server was down, or what they say is by a clock that was
   * set since.
   */
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
