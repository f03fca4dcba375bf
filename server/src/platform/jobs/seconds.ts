import { setTimeout as sleep } from 'node:timers/promises'

/** Timers may fire a little early, and work that is due at a second is not due before it. */
const AFTER_THE_SECOND_MILLISECONDS = 5

/** The next time that is a multiple of a period in milliseconds, by the clock of `performance.now`. */
export function nextMultipleOf(period: number): number {
  return performance.now() + period - (Date.now() % period) + AFTER_THE_SECOND_MILLISECONDS
}

/** Resolves at the beginning of the next second, or when it is aborted. What looks then shares one statement (`Database.looks`). */
export async function untilNextSecond(signal: AbortSignal): Promise<void> {
  const next = nextMultipleOf(1_000)
  for (let left = next - performance.now(); left > 0 && !signal.aborted; left = next - performance.now()) {
    await sleep(left, undefined, { signal }).catch(() => undefined)
  }
}
