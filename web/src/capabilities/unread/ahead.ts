import { effect } from '@preact/signals'
import { conversationOf } from '../../kernel/route.ts'
import { readAhead } from '../../platform/prefetch.ts'
import { shown } from '../../platform/router.ts'
import { nextUnread } from './state.ts'

/** The conversation on the screen comes first: the next one is read ahead when one stays for so long. */
const STAYED_MILLISECONDS = 1_000

/** Reads the next unread conversation ahead while one reads another. */
export function followNext(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const route = shown()
    const here = route.view === 'not-found' ? undefined : conversationOf(route)
    const next = here === undefined ? undefined : nextUnread(here)
    clearTimeout(timer)
    if (next !== undefined) timer = setTimeout(() => readAhead(next), STAYED_MILLISECONDS)
  })
}
