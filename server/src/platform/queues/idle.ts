import { steadySeconds } from '../../kernel/steady-time.ts'
import type { LiveQueue, QueueLimits } from './queue.ts'

export function wholeSteadySeconds(): number {
  return Math.floor(steadySeconds())
}

export function idleSecondsOf({ lifespanSeconds }: { lifespanSeconds: number }, limits: QueueLimits): number {
  return Math.max(lifespanSeconds, limits.idleSeconds)
}

export function isInUse(queue: LiveQueue, limits: QueueLimits): boolean {
  return queue.isWaitedFor || wholeSteadySeconds() - queue.lastUsedAt <= idleSecondsOf(queue, limits)
}

const LOG_KEPT_LOADED_SECONDS = 60

export function keepsLogLoaded(queue: LiveQueue): boolean {
  return queue.isWaitedFor || wholeSteadySeconds() - queue.lastUsedAt <= LOG_KEPT_LOADED_SECONDS
}

/** A larger difference from the elapsed time means that the clock was changed. */
const MAX_CLOCK_DRIFT_SECONDS = 5

/** Converts between process time and the UNIX time stored in rows. */
export class QueueClock {
  #ahead = unixSeconds() - wholeSteadySeconds()
  #countsFrom = wholeSteadySeconds()

  stored(at: number): number {
    this.#checkClock()
    return at + this.#ahead
  }

  known(stored: number): number {
    this.#checkClock()
    return stored - this.#ahead
  }

  /** Time before this does not count as idle time: the server was down, or its clock was different. */
  get countsFrom(): number {
    this.#checkClock()
    return this.#countsFrom
  }

  #checkClock(): void {
    const ahead = unixSeconds() - wholeSteadySeconds()
    if (Math.abs(ahead - this.#ahead) > MAX_CLOCK_DRIFT_SECONDS) this.#countsFrom = wholeSteadySeconds()
    this.#ahead = ahead
  }
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
