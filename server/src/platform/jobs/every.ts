import { setTimeout as sleep } from 'node:timers/promises'

/** Skips rounds while the work is still running. `close` resolves when it has finished. */
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

/** Margin, because timers can fire slightly early. */
const AFTER_THE_SECOND_MILLISECONDS = 5

export function nextMultipleOf(period: number): number {
  return performance.now() + period - (Date.now() % period) + AFTER_THE_SECOND_MILLISECONDS
}

/** Polls at the start of a second share one statement (`Database.looks`). */
export async function untilNextSecond(signal: AbortSignal): Promise<void> {
  const next = nextMultipleOf(1_000)
  for (let left = next - performance.now(); left > 0 && !signal.aborted; left = next - performance.now()) {
    await sleep(left, undefined, { signal }).catch(() => undefined)
  }
}
