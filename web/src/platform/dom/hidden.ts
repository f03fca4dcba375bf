import { options } from 'preact'

/**
 * Draws nothing while the page is hidden, and all that has changed as soon as it is shown again, so that it takes next to no time of the
 * processor. The title and notifications do not go through drawing and stay immediate.
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
