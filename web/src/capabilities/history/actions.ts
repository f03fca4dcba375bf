import { signal } from '@preact/signals'
import type { MessageAction } from '../../kernel/capability.ts'
import { conversationOfMessage } from '../../kernel/message.ts'
import { conversationOf } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { ownId } from '../users/state.ts'

export function openSearch(): void {
  if (shownRoute().view !== 'search') go({ view: 'search', query: '' })
  focusSearch()
}

export const showInConversation: MessageAction = {
  id: 'messages.open',
  title: () => t().messages.open,
  icon: 'chevron',
  keys: ['Enter'],
  isQuick: true,
  when: () => {
    const route = shownRoute()
    return route.view !== 'not-found' && conversationOf(route) === undefined
  },
  run: (message) => go({ ...conversationOfMessage(message, ownId()), near: message.id }),
}

export const focusRequests = signal(0)

let handledRequests = 0

function focusSearch(): void {
  focusRequests.value += 1
}

export function takeFocusRequest(): boolean {
  const isAsked = focusRequests.value > handledRequests
  handledRequests = focusRequests.value
  return isAsked
}
