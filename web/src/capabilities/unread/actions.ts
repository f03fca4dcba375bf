import { placeKey } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { markPlaceRead } from '../flags/actions.ts'
import { moveFocus } from '../messages/open-list.ts'
import { toggleMuted } from '../muted-users/state.ts'
import { directPartnerIn } from '../users/state.ts'
import { chosenUnread, VISIBILITY, type UnreadConversation } from './state.ts'

export function withChosenUnread(run: (one: UnreadConversation) => unknown): () => void {
  return () => {
    const one = chosenUnread()
    if (one !== undefined) void run(one)
  }
}

/** First moves the focus to the next row, because the row of a read or muted conversation stays in the list. */
export function withNextFocused(run: (one: UnreadConversation) => unknown): (one: UnreadConversation) => void {
  return (one) => {
    const row = focusedElement()
    if (row.dataset['row'] === placeKey(one.place)) {
      moveFocus(1)
      if (row === focusedElement()) moveFocus(-1)
    }
    run(one)
  }
}

export async function readConversation({ place }: UnreadConversation): Promise<void> {
  await markPlaceRead(place)
}

/** For a DM, muting applies to the other participant. */
export function canMute(one: UnreadConversation | undefined): boolean {
  return one !== undefined && (one.place.view === 'topic' || directPartnerIn(one.place) !== undefined)
}

export function muteTitle({ place }: UnreadConversation): string {
  return place.view === 'topic' ? t().inbox.mute : t().people.mutePerson
}

export function muteConversation({ place }: UnreadConversation): void {
  const userId = directPartnerIn(place)
  if (place.view === 'topic')
    void withPart(
      import('../user-topics/actions.ts'),
      ({ setVisibility }) => void setVisibility(place.channelId, place.topic, VISIBILITY.muted),
    )
  else if (userId !== undefined) toggleMuted(userId)
}

/** @param from the element beside which the times open */
export function remindOfConversation({ lastId }: UnreadConversation, from = focusedElement(), done?: () => void): void {
  void withPart(import('../reminders/state.ts'), ({ chooseReminder }) => chooseReminder(lastId, from, { done }))
}

function focusedElement(): HTMLElement {
  return document.activeElement instanceof HTMLElement ? document.activeElement : document.body
}

export const INBOX_ACTIONS = [
  { id: 'read', title: () => t().inbox.markRead, icon: 'check', run: readConversation, when: () => true },
  {
    id: 'remind',
    title: () => t().inbox.remind,
    icon: 'reminders',
    run: (one: UnreadConversation) => remindOfConversation(one),
    when: () => true,
  },
  { id: 'mute', title: muteTitle, icon: 'mute', run: muteConversation, when: canMute },
] as const
