import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats work, skipping rounds while the work still runs. `close` resolves when the work has finished. */
export function repeatEvery(
  milliseconds: number,
  work: () => Promise<unknown>,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  let working: Promise<unknown> | undefined
  const timer = setInterval(() => {
    working ??= work()
      .catch(report)
      .finally(() => (working = undefined))
  }, milliseconds)
  return {
    async close() {
      clearInterval(timer)
      await working
    },
  }
}

/** Timers can fire slightly early. */
const TIMER_MARGIN_MILLISECONDS = 5

export function nextMultipleOfPeriod(period: number): number {
  return performance.now() + period - (Date.now() % period) + TIMER_MARGIN_MILLISECONDS
}

/** Waits for the start of the next second, so that polls share one statement (`Database.polls`). */
export async function waitForNextSecond(signal: AbortSignal): Promise<void> {
  const next = nextMultipleOfPeriod(1_000)
  for (let left = next - performance.now(); left > 0 && !signal.aborted; left = next - performance.now()) {
    await sleep(left, undefined, { signal }).catch(() => undefined)
  }
}
