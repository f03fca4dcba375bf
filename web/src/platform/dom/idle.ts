/** After so long it is done, however much else there is to do. */
const LATEST_MILLISECONDS = 500
/** Where a browser does not say when it is idle, it has painted and answered a key by then. */
const USUAL_MILLISECONDS = 50

/** Runs something when what was changed last has been painted and nothing else is to be done. @returns what takes it back */
export function whenIdle(run: () => void): () => void {
  // Safari has no such function.
  if ('requestIdleCallback' in globalThis) {
    const callback = requestIdleCallback(run, { timeout: LATEST_MILLISECONDS })
    return () => cancelIdleCallback(callback)
  }
  const timer = setTimeout(run, USUAL_MILLISECONDS)
  return () => clearTimeout(timer)
}
