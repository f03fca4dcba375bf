import { isWriting, SCROLLING_KEYS } from '../keys/keys.ts'

/** Who pressed something may press on within so long: from one conversation to the next, or the next letter. */
const CALM_MILLISECONDS = 500
/** So often it is looked at meanwhile whether one has begun to scroll. */
const LOOK_MILLISECONDS = 100

/** When something was pressed last, unless one has scrolled since: who does that looks further. */
let pressedAt = -Infinity
for (const act of ['click', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(
    act,
    (event) => {
      const isKey = event instanceof KeyboardEvent && (isWriting(event.target) || !SCROLLING_KEYS.test(event.key))
      pressedAt = act === 'click' || isKey ? event.timeStamp : -Infinity
    },
    { capture: true, passive: true },
  )
}

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

/**
 * Runs something that one sees only when one looks further: when nothing was pressed for a moment, and nothing else is to be done.
 * @returns what takes it back
 */
export function whenCalm(run: () => void): () => void {
  if (performance.now() - pressedAt > CALM_MILLISECONDS) return whenIdle(run)
  let takeBack = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    takeBack = whenCalm(run)
  }, LOOK_MILLISECONDS)
  return () => takeBack()
}
