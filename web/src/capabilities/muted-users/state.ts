import { signal } from '@preact/signals'
import { contentOf, type Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { snippetOf } from '../../platform/dom/html.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { widgetPreview } from '../messages/widget.ts'
import { isBlockedUser, isMutedUser, userName } from '../users/state.ts'

const revealedMessageIds = signal<ReadonlySet<number>>(new Set())

export function isHiddenMessage({ id, sender_id: senderId }: Pick<Message, 'id' | 'sender_id'>): boolean {
  return isMutedUser(senderId) && !revealedMessageIds.value.has(id)
}

export function revealMessage(id: number): void {
  revealedMessageIds.value = new Set([...revealedMessageIds.value, id])
}

export function hideMessage(id: number): void {
  revealedMessageIds.value = new Set([...revealedMessageIds.value].filter((one) => one !== id))
}

export function toggleMuted(userId: number): void {
  void withPart(
    import('./actions.ts'),
    ({ muteUser, unmuteUser }) => void (isMutedUser(userId) ? unmuteUser : muteUser)(userId),
  )
}

export function toggleBlocked(userId: number): void {
  void withPart(
    import('./actions.ts'),
    ({ blockUser, unblockUser }) => void (isBlockedUser(userId) ? unblockUser : blockUser)(userId),
  )
}

export function shownName(userId: number): string {
  return isMutedUser(userId) ? t().people.mutedPerson : userName(userId)
}

/** Returns first names, but full names of people who share their first name. */
export function firstNames(userIds: readonly number[]): readonly string[] {
  const first = userIds.map((id) => (isMutedUser(id) ? shownName(id) : (/\S+/.exec(userName(id))?.[0] ?? '')))
  return first.map((name, index) =>
    first.indexOf(name) === first.lastIndexOf(name) ? name : shownName(userIds[index] ?? 0),
  )
}

export function previewOf(message: Message): { readonly author: string; readonly text: string } {
  if (isHiddenMessage(message)) return { author: t().people.mutedPerson, text: t().people.hiddenText }
  return { author: message.sender_full_name, text: previewTextOf(message) || t().messages.noText }
}

export function previewTextOf(message: Message): string {
  return widgetPreview(message) ?? snippetOf(contentOf(message))
}
