import { t } from '../../kernel/strings.ts'
import { markPlaceRead } from '../flags/actions.ts'
import { chooseReminder } from '../reminders/actions.ts'
import { muteTopic } from '../user-topics/actions.ts'
import { chosenUnread } from './chosen.ts'
import type { UnreadConversation } from './state.ts'

/** Runs something with the conversation that has the focus in the inbox. */
export function withChosen(run: (one: UnreadConversation) => unknown): () => void {
  return () => {
    const one = chosenUnread()
    if (one !== undefined) void run(one)
  }
}

export async function readConversation({ place }: UnreadConversation): Promise<void> {
  await markPlaceRead(place)
}

/** Only topics are muted so: whom one writes with directly is muted as a person. */
export function canMute(one: UnreadConversation | undefined): boolean {
  return one?.place.view === 'topic'
}

export async function muteConversation({ place }: UnreadConversation): Promise<void> {
  if (place.view === 'topic') await muteTopic(place.channelId, place.topic)
}

/** Reminds of the newest message. @param done is called when it is set */
export function remindOfConversation({ lastId }: UnreadConversation, done?: () => void): void {
  chooseReminder(lastId, focusedElement(), done)
}

function focusedElement(): HTMLElement {
  return document.activeElement instanceof HTMLElement ? document.activeElement : document.body
}

/** What can be done with an unread conversation where it is listed. */
export const INBOX_ACTIONS = [
  { id: 'read', title: () => t().inbox.markRead, icon: 'check', run: readConversation, when: () => true },
  { id: 'remind', title: () => t().inbox.remind, icon: 'recent', run: remindOfConversation, when: () => true },
  { id: 'mute', title: () => t().inbox.mute, icon: 'mute', run: muteConversation, when: canMute },
] as const
