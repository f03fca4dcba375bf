/** One request can block the event loop this long. */
const SLICE_MILLISECONDS = 10

const paused: (() => void)[] = []

/** `await pause()` yields to the event loop once the time slice is used up. */
export function createYielder(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MILLISECONDS) return undefined
    return turn().then(() => {
      began = performance.now()
    })
  }
}

/** Ends only one pause per turn: several slices in one turn would block the event loop for too long. */
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
