import { options } from 'preact'

/** So often a page is drawn that nobody sees. */
const HIDDEN_MILLISECONDS = 15_000

/**
 * From now on, draws what changes while nobody sees the page now and then, and the moment it is seen again: a page that is
 * hidden takes next to no time of the processor. What it does besides, such as its title and notifications, is not drawn here.
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
