import { retryAfterMilliseconds } from '@parley/client'
import { t } from '../../kernel/strings.ts'

const FIRST_RETRY_DELAY_MILLISECONDS = 1_000
const MAX_RETRY_DELAY_MILLISECONDS = 30_000

/** Retries while throttled or offline. @param reportDelay receives the reason, and undefined when the delay ends */
export async function retryWhenThrottled<Value>(
  ask: () => Promise<Value>,
  reportDelay: (why: string | undefined) => void,
  mostSeconds = Infinity,
): Promise<Value> {
  const end = performance.now() + mostSeconds * 1000
  let hasReported = false
  for (let pause = FIRST_RETRY_DELAY_MILLISECONDS; ; pause = Math.min(2 * pause, MAX_RETRY_DELAY_MILLISECONDS)) {
    try {
      const value = await ask()
      if (hasReported) reportDelay(undefined)
      return value
    } catch (error) {
      const milliseconds = retryAfterMilliseconds(error)
      // `fetch` throws this if there is no response.
      const isUnreachable = error instanceof TypeError
      if (milliseconds === 0 && !isUnreachable) throw error
      const rested = isUnreachable ? pause : milliseconds
      if (performance.now() + rested > end) throw error
      reportDelay(isUnreachable ? t().app.unreachable : t().app.held)
      hasReported = true
      await waitUntilOnlineOrTimeout(rested)
    }
  }
}

async function waitUntilOnlineOrTimeout(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, milliseconds)
    function end(): void {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    window.addEventListener('online', end)
  })
}
