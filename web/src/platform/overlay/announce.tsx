import { signal } from '@preact/signals'

/** At most one announcement in this time: who listens is not to be talked over. */
const BETWEEN_MILLISECONDS = 2_000

const said = signal('')
let waiting: string | undefined
let isResting = false

/** Says something to screen readers. What comes before the last was said replaces what waits. */
export function announce(text: string): void {
  if (isResting) {
    waiting = text
    return
  }
  // Screen readers read a text again only when it changes.
  said.value = said.value === text ? `${text}\u00A0` : text
  isResting = true
  setTimeout(() => {
    isResting = false
    const next = waiting
    waiting = undefined
    if (next !== undefined) announce(next)
  }, BETWEEN_MILLISECONDS)
}

/** The one place from which screen readers hear what happens. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true" data-announcer="">
      {said.value}
    </div>
  )
}
