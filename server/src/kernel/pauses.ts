/** Maximum time for which one request can block the event loop. */
const SLICE_MILLISECONDS = 10
/** After a longer step, others get as much time. */
const LONG_STEP_MILLISECONDS = 30
const MAX_REST_MILLISECONDS = 100

/** Lists in the order of turns; no list is empty. */
const waiting = new Map<string, (() => void)[]>()
let isScheduled = false

/**
 * `await pause()` yields to the event loop once the time slice is used up.
 * @param owner as of `ownTurn`
 */
export function createYielder(owner?: string): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MILLISECONDS) return undefined
    return ownTurn(owner).then(() => {
      began = performance.now()
    })
  }
}

/**
 * Resolves in a later turn of the event loop, one caller per turn: several would block it for too long.
 * @param owner account; owners take turns
 */
export async function ownTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(owner)
    if (own === undefined) waiting.set(owner, [resolve])
    else own.push(resolve)
    if (!isScheduled) schedule()
  })
}

function schedule(): void {
  isScheduled = true
  setImmediate(resumeNext)
}

function resumeNext(): void {
  const [next] = waiting
  if (next === undefined) {
    isScheduled = false
    return
  }
  const [owner, resolves] = next
  waiting.delete(owner)
  resolves.shift()?.()
  if (resolves.length > 0) waiting.set(owner, resolves)
  const began = performance.now()
  setImmediate(() => {
    const took = performance.now() - began
    if (took > LONG_STEP_MILLISECONDS) setTimeout(resumeNext, Math.min(took, MAX_REST_MILLISECONDS))
    else resumeNext()
  })
}
