import { heldMilliseconds } from '@parley/client'
import { t } from '../../kernel/strings.ts'

/**
 * Asks for what a page needs by itself. Where too much was asked from the address of the one who reads, it says so, and asks again
 * when the time of that is over.
 * @param say is told why nothing is there yet, and undefined once it goes on
 * @throws what the request does otherwise
 */
export async function patiently<Value>(
  ask: () => Promise<Value>,
  say: (why: string | undefined) => void,
): Promise<Value> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const milliseconds = heldMilliseconds(error)
      if (milliseconds === 0) throw error
      say(t().app.held)
      await new Promise((resolve) => {
        setTimeout(resolve, milliseconds)
      })
      say(undefined)
    }
  }
}
