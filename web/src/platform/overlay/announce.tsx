import { signal } from '@preact/signals'

/** Prevents announcements from interrupting each other. */
const BETWEEN_MILLISECONDS = 2_000

const said = signal('')
let waiting: string | undefined
let isResting = false

/** Replaces any announcement that is still waiting. */
export function announce(text: string): void {
  if (isResting) {
    waiting = text
    return
  }
  // Screen readers repeat a text only if it changes.
  said.value = said.value === text ? `${text}\u00A0` : text
  isResting = true
  setTimeout(() => {
    isResting = false
    const next = waiting
    waiting = undefined
    if (next !== undefined) announce(next)
  }, BETWEEN_MILLISECONDS)
}

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true" data-announcer="">
      {said.value}
    </div>
  )
}
