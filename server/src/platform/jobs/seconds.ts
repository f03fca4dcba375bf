import { setTimeout as sleep } from 'node:timers/promises'

/** Timers can fire slightly early, and work due at a second is not due before it. */
const AFTER_THE_SECOND_MILLISECONDS = 5

/** Returns the next multiple of a period in milliseconds, by the clock of `performance.now`. */
export function nextMultipleOf(period: number): number {
  return performance.now() + period - (Date.now() % period) + AFTER_THE_SECOND_MILLISECONDS
}

/**
 * Resolves at the start of the next second, or when aborted. Polls at that time share one statement (`Database.looks`).
 */
export async function untilNextSecond(signal: AbortSignal): Promise<void> {
  const next = nextMultipleOf(1_000)
  for (let left = next - performance.now(); left > 0 && !signal.aborted; left = next - performance.now()) {
    await sleep(left, undefined, { signal }).catch(() => undefined)
  }
}
