import type { PageClock } from './in-page.js'

declare global {
  /** What `in-page.js` gives to the pages that are measured, and to what is evaluated there. */
  const clock: PageClock
}
