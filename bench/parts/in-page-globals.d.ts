import type { PageClock } from './in-page.js'

declare global {
  /** Provided by `in-page.js` in measured pages and in code evaluated there. */
  const clock: PageClock
}
