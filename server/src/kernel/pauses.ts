import { setImmediate } from 'node:timers/promises'

/** How long one request may hold the event loop while others wait. */
const SLICE_MILLISECONDS = 10

/**
 * For work of unknown length: `await pause()` between its steps gives the event loop a turn, if the work has held it
 * for long.
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
