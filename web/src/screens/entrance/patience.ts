import { heldMilliseconds } from '@parley/client'
import { t } from '../../kernel/strings.ts'

const FIRST_PAUSE_MILLISECONDS = 1_000
const LONGEST_PAUSE_MILLISECONDS = 30_000

/**
 * Asks for what a page needs by itself. Where too much was asked from the address of the one who reads, it says so, and asks again
 * when the time of that is over; and where the server cannot be reached, until it can.
 * @param say is told why nothing is there yet, and undefined once it goes on
 * @throws what the request does otherwise
 */
export async function patiently<Value>(
  ask: () => Promise<Value>,
  say: (why: string | undefined) => void,
): Promise<Value> {
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
      say(isUnreachable ? t().app.unreachable : t().app.held)
      hasSaid = true
      await rest(isUnreachable ? pause : milliseconds)
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
