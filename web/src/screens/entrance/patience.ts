import { heldMilliseconds } from '@parley/client'
import { t } from '../../kernel/strings.ts'

const FIRST_PAUSE_MILLISECONDS = 1_000
const LONGEST_PAUSE_MILLISECONDS = 30_000

/**
 * Asks for what a page needs by itself. Where too much was asked from the address of the one who reads, it says so, and asks again
 * when the time of that is over; and where the server cannot be reached, until it can.
 * @param say is told why nothing is there yet, and undefined once it goes on
 * @param mostSeconds for how long it asks again; without, there is no end
 * @throws what the request does otherwise, or did last when the time was over
 */
export async function patiently<Value>(
  ask: () => Promise<Value>,
  say: (why: string | undefined) => void,
  mostSeconds = Infinity,
): Promise<Value> {
  const end = performance.now() + mostSeconds * 1000
  let hasSaid = false
  for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS)) {
    try {
      const value = await ask()
      if (hasSaid) say(undefined)
      return value
    } catch (error) {
      const milliseconds = heldMilliseconds(error)
      // What the browser throws where there is no answer.
      const isUnreachable = error instanceof TypeError
      if (milliseconds === 0 && !isUnreachable) throw error
      const rested = isUnreachable ? pause : milliseconds
      if (performance.now() + rested > end) throw error
      say(isUnreachable ? t().app.unreachable : t().app.held)
      hasSaid = true
      await rest(rested)
    }
  }
}

/** Waits, but no longer than until the browser has a network again. */
async function rest(milliseconds: number): Promise<void> {
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
