import { loadAdministration, ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shownRoute } from '../../platform/router.ts'
import { fetchPendingRegistrations } from './state.ts'
import { waitingCount } from './inviting.ts'

export const WAITING_PAGE = { view: 'settings', section: 'invitations' } as const

let close: (() => boolean) | undefined
let times = 0
/** Whether a new person has been reported since the last request. */
let hasCome = false

/** Notifies administrators until the toast closes or no one is waiting. @param isMore whether a new person is waiting */
export async function updateWaiting(isMore: boolean): Promise<void> {
  hasCome ||= isMore
  times += 1
  const time = times
  const waiting = await fetchPendingRegistrations()
  if (waiting.length > 0) await loadAdministration()
  if (time !== times) return
  waitingCount.value = waiting.length
  const isNews = hasCome
  hasCome = false
  const wasThere = close?.() === true
  close = undefined
  if (!isNews && !wasThere) return
  const [newest] = waiting
  const route = shownRoute()
  if (newest === undefined || (route.view === WAITING_PAGE.view && route.section === WAITING_PAGE.section)) return
  const text =
    waiting.length === 1
      ? ta().invitations.waits(newest.email)
      : ta().invitations.wait(newest.email, waiting.length - 1)
  close = toast(text, { title: ta().invitations.toWaiting, run: () => go(WAITING_PAGE), stays: true })
}
