import { options } from 'preact'

/** A hidden page is drawn once in this time. */
const HIDDEN_MILLISECONDS = 15_000

/**
 * Draws a hidden page once in fifteen seconds, and at once when it is shown again, so that it takes next to no time of the
 * processor. The title and notifications do not go through drawing and stay immediate.
 */
export function drawSeldomWhileHidden(): void {
  options.debounceRendering = (draw) => {
    if (!document.hidden) {
      queueMicrotask(draw)
      return
    }
    const done = (): void => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', done)
      draw()
    }
    const timer = setTimeout(done, HIDDEN_MILLISECONDS)
    document.addEventListener('visibilitychange', done)
  }
}
