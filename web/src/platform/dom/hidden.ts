import { options } from 'preact'

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
