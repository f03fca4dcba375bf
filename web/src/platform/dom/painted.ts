const waiting: (() => void)[] = []
/** Messages that are on their way for what has been run already. */
let outdated = 0
const { port1: here, port2: there } = new MessageChannel()

here.addEventListener('message', () => {
  if (outdated > 0) outdated -= 1
  else waiting.shift()?.()
})
here.start()

/** Runs something when what was changed last has been painted, each in a task of its own, in the order of the calls. */
export function afterPaint(run: () => void): void {
  waiting.push(run)
  const runNext = (): void => there.postMessage(undefined)
  // A hidden page is not painted.
  if (document.hidden) runNext()
  else requestAnimationFrame(runNext)
}

/**
 * Runs what waits for a paint before anything else does, for a key that was pressed meanwhile: who presses `/` and writes on means
 * the search, though it has not been drawn. Called by a listener, it is through before the next listener runs: between two of
 * them the browser runs all microtasks, which draw, too.
 */
export async function finishBeforePaint(): Promise<void> {
  while (waiting.length > 0) {
    outdated += 1
    waiting.shift()?.()
    await Promise.resolve()
  }
}
