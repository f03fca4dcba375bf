import { setImmediate } from 'node:timers/promises'

/** What one request may do at once while others wait. */
const SLICE_MILLISECONDS = 10

/**
 * For work of which nobody knows how long it takes: `await pause()` between its steps lets the event loop go on, if it was
 * held for long.
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
