import { loadAdministration, ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shownRoute } from '../../platform/router.ts'
import { fetchPendingRegistrations } from './state.ts'
import { waitingCount } from './inviting.ts'

export const WAITING_PAGE = { view: 'settings', section: 'invitations' } as const

let closeToast: (() => boolean) | undefined
let updateCount = 0
/** Whether a new person has asked to join since the last request to the server. */
let hasNewPerson = false

/** Updates the number of waiting people, and the toast about them. @param isMore whether a new person is waiting */
export async function updateWaiting(isMore: boolean): Promise<void> {
  hasNewPerson ||= isMore
  updateCount += 1
  const time = updateCount
  const waiting = await fetchPendingRegistrations()
  if (waiting.length > 0) await loadAdministration()
  if (time !== updateCount) return
  waitingCount.value = waiting.length
  const isNews = hasNewPerson
  hasNewPerson = false
  const wasThere = closeToast?.() === true
  closeToast = undefined
  if (!isNews && !wasThere) return
  const [newest] = waiting
  const route = shownRoute()
  if (newest === undefined || (route.view === WAITING_PAGE.view && route.section === WAITING_PAGE.section)) return
  const text =
    waiting.length === 1
      ? ta().invitations.waits(newest.email)
      : ta().invitations.wait(newest.email, waiting.length - 1)
  closeToast = toast(text, { title: ta().invitations.toWaiting, run: () => go(WAITING_PAGE), stays: true })
}
