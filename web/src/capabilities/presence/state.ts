import { call } from '@parley/client'
import { presence } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Interval for updating the clock, because no event reports that people go offline. */
const CLOCK_INTERVAL_MILLISECONDS = 20_000

const nowSeconds = signal(Date.now() / 1000)

export function startPresenceClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') nowSeconds.value = Date.now() / 1000
  }, CLOCK_INTERVAL_MILLISECONDS)
}

export type Presence = 'active' | 'idle' | 'offline'

export function presenceOf(id: number): Presence {
  const known = store().read('presences')[String(id)]
  if (known === undefined) return 'offline'
  const threshold = store().read('server_presence_offline_threshold_seconds')
  if (nowSeconds.value - known.active_timestamp < threshold) return 'active'
  return nowSeconds.value - known.idle_timestamp < threshold ? 'idle' : 'offline'
}

/** UNIX seconds; undefined if unknown. */
export function lastSeen(id: number): number | undefined {
  const known = store().read('presences')[String(id)]
  const latest = Math.max(known?.active_timestamp ?? 0, known?.idle_timestamp ?? 0)
  return latest === 0 ? undefined : latest
}

const IDLE_AFTER_MILLISECONDS = 5 * 60_000

const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Reports and receives presence at the server's interval while the client is visible, and immediately on return. */
export function reportPresence(): void {
  let lastInput = Date.now()
  let lastPing = 0
  let lastId = -1
  const isIdle = (): boolean => Date.now() - lastInput > IDLE_AFTER_MILLISECONDS
  const ping = async (): Promise<void> => {
    const isActive = !isIdle()
    const hasNewInput = lastInput > lastPing
    lastPing = Date.now()
    try {
      const answer = await call(SESSION, presence.updatePresence, {
        status: isActive ? 'active' : 'idle',
        new_user_input: isActive && hasNewInput,
        slim_presence: true,
        last_update_id: lastId,
      })
      lastId = answer.presence_last_update_id ?? lastId
      // Presence comes with the response instead of an event, so this applies it like an event.
      if (answer.presences !== undefined) sync.predict({ type: 'presence', presences: answer.presences })
    } catch {
      // The next ping reports presence again.
    }
  }
  const isThere = (): boolean => document.visibilityState === 'visible'
  const interval = store().read('server_presence_ping_interval_seconds') * 1000
  setInterval(() => {
    if (isThere() && Date.now() - lastPing >= interval) void ping()
  }, interval / 4)
  document.addEventListener('visibilitychange', () => {
    if (isThere()) void ping()
  })
  for (const input of INPUT_EVENTS) {
    window.addEventListener(
      input,
      () => {
        const wasIdle = isIdle()
        lastInput = Date.now()
        if (wasIdle) void ping()
      },
      { passive: true, capture: true },
    )
  }
  // A new state can be older than the last ping, so the next ping requests what changed since that state.
  const begin = (): void => {
    lastId = store().read('presence_last_update_id')
  }
  begin()
  sync.onBeginning(begin)
  if (isThere()) void ping()
}
