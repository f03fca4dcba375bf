import { loadAdministration, ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shown } from '../../platform/router.ts'
import { askWaiting } from './state.ts'
import { waitingCount } from './waiting-count.ts'

/** Where those who wait are listed. */
export const WAITING_PAGE = { view: 'settings', section: 'invitations' } as const

/** Takes away the note of those who wait. */
let close: (() => boolean) | undefined
let times = 0
/** Whether somebody came of whom nothing was said yet. */
let hasCome = false

/**
 * Counts those who wait for a link, and tells an administrator, wherever in the client, that somebody came, until the note is closed or nobody
 * waits any more.
 * @param isMore whether somebody came; who has closed the note is not told again of the others
 */
export async function hearOfWaiting(isMore: boolean): Promise<void> {
  hasCome ||= isMore
  times += 1
  const time = times
  const waiting = await askWaiting()
  if (waiting.length > 0) await loadAdministration()
  // Another event came meanwhile, and asks for what is newer.
  if (time !== times) return
  waitingCount.value = waiting.length
  const isNews = hasCome
  hasCome = false
  const wasThere = close?.() === true
  close = undefined
  if (!isNews && !wasThere) return
  const [newest] = waiting
  const route = shown()
  if (newest === undefined || (route.view === WAITING_PAGE.view && route.section === WAITING_PAGE.section)) return
  const text =
    waiting.length === 1
      ? ta().invitations.waits(newest.email)
      : ta().invitations.wait(newest.email, waiting.length - 1)
  close = toast(text, { title: ta().invitations.toWaiting, run: () => go(WAITING_PAGE), stays: true })
}
