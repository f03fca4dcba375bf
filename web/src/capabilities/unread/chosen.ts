import { signal } from '@preact/signals'
import { placeKey } from '../../kernel/route.ts'
import { shownRoute } from '../../platform/router.ts'
import { unreadOf, type UnreadConversation } from './state.ts'

/** The conversation that has, or last had, the focus in the inbox. */
export const chosen = signal<UnreadConversation['place'] | undefined>(undefined)

export function chosenUnread(): UnreadConversation | undefined {
  return chosen.value === undefined ? undefined : unreadOf(chosen.value)
}

export function isInInbox(): boolean {
  return shownRoute().view === 'inbox' && chosenUnread() !== undefined
}

export function isChosen(place: UnreadConversation['place']): boolean {
  return chosen.value !== undefined && placeKey(chosen.value) === placeKey(place)
}
