import { signal } from '@preact/signals'

/** Interval that prevents announcements from interrupting each other. */
const ANNOUNCEMENT_INTERVAL_MILLISECONDS = 2_000

const announcement = signal('')
let waitingText: string | undefined
let isResting = false

/** Replaces any announcement that is still waiting. */
export function announce(text: string): void {
  if (isResting) {
    waitingText = text
    return
  }
  // Screen readers repeat text only if it changes.
  announcement.value = announcement.value === text ? `${text}\u00A0` : text
  isResting = true
  setTimeout(() => {
    isResting = false
    const next = waitingText
    waitingText = undefined
    if (next !== undefined) announce(next)
  }, ANNOUNCEMENT_INTERVAL_MILLISECONDS)
}

/** Removes an announcement that is no longer true. */
export function withdrawAnnouncement(text: string): void {
  if (waitingText === text) waitingText = undefined
  // The text may end with a no-break space.
  if (announcement.value.trim() === text) announcement.value = ''
}

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true" data-announcer="">
      {announcement.value}
    </div>
  )
}
