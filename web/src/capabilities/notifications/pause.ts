import { preference } from '../../platform/preferences.ts'

/** End of the notification pause in UNIX seconds; in the past if notifications are not paused. */
export const pausedUntil = preference(
  'pausedUntil',
  0,
  (kept): kept is number => typeof kept === 'number' && Number.isFinite(kept),
)

export function isPaused(): boolean {
  return pausedUntil.read() > Date.now() / 1000
}
