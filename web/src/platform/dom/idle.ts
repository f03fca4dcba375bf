import { options } from 'preact'
import { isWriting, SCROLLING_KEYS } from '../keys/keys.ts'

/** Time within which more input is likely, such as the next conversation or letter. */
const CALM_MILLISECONDS = 500
/** Interval between checks for scrolling in the meantime. */
const LOOK_MILLISECONDS = 100

/** Time of the last press. Reset by scrolling, because the user then wants to see more rows. */
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

/** Time after which the callback runs even if the browser is busy. */
const LATEST_MILLISECONDS = 500
const USUAL_MILLISECONDS = 50

/** Runs a callback after the last change was painted and the browser is idle. @returns a function that cancels it */
export function whenIdle(run: () => void): () => void {
  // Safari lacks `requestIdleCallback`.
  if ('requestIdleCallback' in globalThis) {
    const callback = requestIdleCallback(run, { timeout: LATEST_MILLISECONDS })
    return () => cancelIdleCallback(callback)
  }
  const timer = setTimeout(run, USUAL_MILLISECONDS)
  return () => clearTimeout(timer)
}

/**
 * Runs a callback for content out of view once there has been no input for a moment and the browser is idle.
 * @returns a function that cancels it
 */
export function whenCalm(run: () => void): () => void {
  if (performance.now() - pressedAt > CALM_MILLISECONDS) return whenIdle(run)
  let takeBack = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    takeBack = whenCalm(run)
  }, LOOK_MILLISECONDS)
  return () => takeBack()
}

/**
 * Pauses rendering while the page is hidden, to save CPU time, and catches up when it is shown. The title and
 * notifications do not depend on rendering.
 */
export function drawOnlyWhenShown(): void {
  options.debounceRendering = (draw) => {
    if (!document.hidden) {
      queueMicrotask(draw)
      return
    }
    document.addEventListener('visibilitychange', () => draw(), { once: true })
  }
}
