import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isScrollingKey, isWriting } from '../keys/keys.ts'

/** For this long after input, more input is likely, such as a click on the next conversation or another letter. */
const INPUT_PAUSE_MILLISECONDS = 500
const INPUT_CHECK_INTERVAL_MILLISECONDS = 100

/** Time of the last click or key press. Scrolling resets it, because the user then wants to see more rows. */
let pressedAt = -Infinity
for (const act of ['click', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(
    act,
    (event) => {
      const isKey = event instanceof KeyboardEvent && (isWriting(event.target) || !isScrollingKey(event))
      pressedAt = act === 'click' || isKey ? event.timeStamp : -Infinity
    },
    { capture: true, passive: true },
  )
}

const MAX_IDLE_WAIT_MILLISECONDS = 500
const FALLBACK_DELAY_MILLISECONDS = 50

/** Runs a callback when the browser is idle, usually after the next paint. @returns a function that cancels it */
export function runWhenIdle(run: () => void): () => void {
  // Safari lacks `requestIdleCallback`.
  if ('requestIdleCallback' in globalThis) {
    const callback = requestIdleCallback(run, { timeout: MAX_IDLE_WAIT_MILLISECONDS })
    return () => cancelIdleCallback(callback)
  }
  const timer = setTimeout(run, FALLBACK_DELAY_MILLISECONDS)
  return () => clearTimeout(timer)
}

/** After a pause in input, runs a callback for content out of view. @returns a function that cancels it */
export function runAfterInputPause(run: () => void): () => void {
  if (performance.now() - pressedAt > INPUT_PAUSE_MILLISECONDS) return runWhenIdle(run)
  let cancel = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    cancel = runAfterInputPause(run)
  }, INPUT_CHECK_INTERVAL_MILLISECONDS)
  return () => cancel()
}

/** Stops rendering while the page is hidden. The title and notifications do not depend on rendering. */
export function pauseRenderingWhileHidden(): void {
  options.debounceRendering = (draw) => {
    if (!document.hidden) {
      queueMicrotask(draw)
      return
    }
    document.addEventListener('visibilitychange', () => draw(), { once: true })
  }
}

/** Rows rendered per step. A larger number would delay key presses more. */
const ROWS_PER_STEP = 15

/** Adds off-screen rows in steps, one per paint, to keep input responsive. @param of identifies the list */
export function useGrowingCount(first: number, all: number, of = ''): number {
  const [grown, setGrown] = useState({ of, count: first })
  const count = grown.of === of ? grown.count : first
  useEffect(() => {
    if (count >= all) return undefined
    return runAfterInputPause(() => setGrown({ of, count: count + ROWS_PER_STEP }))
  }, [count, all, of])
  return Math.min(count, all)
}
