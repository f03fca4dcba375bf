import { call } from '@parley/client'
import { presence } from '@parley/server/contract'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Without input for so long a person is idle, though the client is on the screen. */
const IDLE_AFTER_MILLISECONDS = 5 * 60_000

const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Says that one is there as long as the client can be seen, and hears who else is: as often as the server wants it, and at
 * once when one comes back.
 */
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
      // It tells what events would, had every client to be told of everybody.
      if (answer.presences !== undefined) sync.predict({ type: 'presence', presences: answer.presences })
    } catch {
      // The next one says it again.
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
  for (const input of INPUTS) {
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
  // A state that begins anew may be older than what was heard.
  const begin = (): void => {
    lastId = store().read('presence_last_update_id')
  }
  begin()
  sync.onBeginning(begin)
  if (isThere()) void ping()
}
