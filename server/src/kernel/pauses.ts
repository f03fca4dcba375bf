import { setImmediate } from 'node:timers/promises'

/** How long one request may block the event loop. */
const SLICE_MILLISECONDS = 10

/**
 * For work of unknown length: `await pause()` between steps yields to the event loop once the time slice is used up.
 */
export function pausing(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MILLISECONDS) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}
