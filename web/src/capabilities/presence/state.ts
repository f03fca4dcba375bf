import { signal } from '@preact/signals'
import { store } from '../../platform/client.ts'

/** Refresh interval of displayed presence: going offline sends no event. */
const TICK_MILLISECONDS = 20_000

const now = signal(Date.now() / 1000)

export function letTimePass(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') now.value = Date.now() / 1000
  }, TICK_MILLISECONDS)
}

export type Presence = 'active' | 'idle' | 'offline'

export function presenceOf(id: number): Presence {
  const known = store().read('presences')[String(id)]
  if (known === undefined) return 'offline'
  const threshold = store().read('server_presence_offline_threshold_seconds')
  if (now.value - known.active_timestamp < threshold) return 'active'
  return now.value - known.idle_timestamp < threshold ? 'idle' : 'offline'
}

/** Time at which a person was last online, in UNIX seconds; undefined if unknown. */
export function lastSeen(id: number): number | undefined {
  const known = store().read('presences')[String(id)]
  const latest = Math.max(known?.active_timestamp ?? 0, known?.idle_timestamp ?? 0)
  return latest === 0 ? undefined : latest
}
