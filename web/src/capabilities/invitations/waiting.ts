import { loadAdministration, ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shown } from '../../platform/router.ts'
import { askWaiting } from './state.ts'

const PAGE = { view: 'settings', section: 'invitations' } as const

/** Takes away the note of those who wait. */
let close: (() => boolean) | undefined
let times = 0

/**
 * Tells an administrator, wherever in the client, that somebody waits for a link, until the note is closed or nobody waits any more.
 * @param isMore whether somebody came; who has closed the note is not told again of the others
 */
export async function tellOfWaiting(isMore: boolean): Promise<void> {
  if (!isMore && close === undefined) return
  times += 1
  const time = times
  await loadAdministration()
  const waiting = await askWaiting()
  // Another event came meanwhile, and asks for what is newer.
  if (time !== times) return
  const wasThere = close?.() === true
  close = undefined
  if (!isMore && !wasThere) return
  const [newest] = waiting
  const route = shown()
  if (newest === undefined || (route.view === PAGE.view && route.section === PAGE.section)) return
  const text =
    waiting.length === 1
      ? ta().invitations.waits(newest.email)
      : ta().invitations.wait(newest.email, waiting.length - 1)
  close = toast(text, { title: ta().invitations.toWaiting, run: () => go(PAGE), stays: true })
}
