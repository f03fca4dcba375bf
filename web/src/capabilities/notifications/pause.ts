import { preference } from '../../platform/preferences.ts'

/** Until when nothing is notified, in UNIX seconds; in the past where nothing is held back. */
export const pausedUntil = preference(
  'pausedUntil',
  0,
  (kept): kept is number => typeof kept === 'number' && Number.isFinite(kept),
)

export function isPaused(): boolean {
  return pausedUntil.read() > Date.now() / 1000
}
