import { effect } from '@preact/signals'
import { conversationOf } from '../../kernel/route.ts'
import { readAhead } from '../../platform/prefetch.ts'
import { shownRoute } from '../../platform/router.ts'
import { nextUnread } from './state.ts'

/** Time after a conversation is opened until the next one is prefetched. */
const STAYED_MILLISECONDS = 1_000

/** Prefetches the next unread conversation while another is open. */
export function followNext(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const route = shownRoute()
    const here = route.view === 'not-found' ? undefined : conversationOf(route)
    const next = here === undefined ? undefined : nextUnread(here)
    clearTimeout(timer)
    if (next !== undefined) timer = setTimeout(() => readAhead(next), STAYED_MILLISECONDS)
  })
}
