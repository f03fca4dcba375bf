/** Time for which one request can block the event loop while others wait. */
const SLICE_MILLISECONDS = 10

/** Paused work, in the order in which it continues. */
const paused: (() => void)[] = []

/**
 * Starts work of unknown length: `await pause()` between steps yields to the event loop once the time slice is used up.
 */
export function pausing(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MILLISECONDS) return undefined
    return turn().then(() => {
      began = performance.now()
    })
  }
}

/**
 * Resolves in a turn of the event loop in which no other paused work continues, because many slices together would be
 * long again.
 */
async function turn(): Promise<void> {
  return new Promise((resolve) => {
    paused.push(resolve)
    if (paused.length === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  paused.shift()?.()
  if (paused.length > 0) setImmediate(goOn)
}
