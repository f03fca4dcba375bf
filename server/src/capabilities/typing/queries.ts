import type { EventOf, LoggedEvent } from '../../kernel/event-binding.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import type { editTypingStarted } from './contract.ts'
import { unknownSender, userById, userSetting } from '../users/queries/index.ts'
import { viewingMember, visibleUser } from '../users/rules/visibility.ts'

/** Typing event as published. Omits email addresses, because PostgreSQL limits notifications to 8,000 bytes. */
export type TypingNotice = { readonly senderId: number } & (
  { readonly recipientIds: readonly number[] } | { readonly channelId: number; readonly topic: string }
)

export function isTypingWanted(event: LoggedEvent, viewer: Viewer): boolean {
  return wantsTypingFrom(viewer, typingNoticeIn(event).senderId)
}

export function typingToClient(event: LoggedEvent, viewer: Viewer): Record<string, unknown> | undefined {
  const notice = typingNoticeIn(event)
  const { capabilities } = viewer.form
  const person = (userId: number): { user_id: number; email: string } => presentTypingPerson(viewer, userId)
  const sender = person(notice.senderId)
  if ('recipientIds' in notice) {
    return { message_type: 'direct', sender, recipients: notice.recipientIds.map(person) }
  }
  if (!capabilities.stream_typing_notifications) return undefined
  const topic = presentTopic(notice.topic, capabilities.empty_topic_name)
  return { message_type: 'stream', sender, stream_id: notice.channelId, topic }
}

export function isEditTypingWanted({ payload }: EventOf<typeof editTypingStarted>, viewer: Viewer): boolean {
  return wantsTypingFrom(viewer, payload.sender_id)
}

export function editTypingToClient(
  { payload }: EventOf<typeof editTypingStarted>,
  { form: { capabilities } }: Viewer,
): Readonly<Record<string, unknown>> {
  const { recipient, ...rest } = payload
  const { topic } = recipient
  if (topic === undefined) return payload
  return { ...rest, recipient: { ...recipient, topic: presentTopic(topic, capabilities.empty_topic_name) } }
}

/** Whether the viewer has typing notifications enabled and can see the sender. */
function wantsTypingFrom(viewer: Viewer, senderId: number): boolean {
  const user = userById(viewer.organization, viewer.userId)
  if (user === undefined || !userSetting(user, 'receives_typing_notifications')) return false
  return visibleUser(viewer.organization, viewingMember(viewer), senderId) !== undefined
}

function typingNoticeIn({ payload }: LoggedEvent): TypingNotice {
  // Safe: only this capability's actions publish this event.
  return payload as unknown as TypingNotice
}

function presentTypingPerson(viewer: Viewer, userId: number): { user_id: number; email: string } {
  const known = visibleUser(viewer.organization, viewingMember(viewer), userId)
  return { user_id: userId, email: (known ?? unknownSender(viewer.organization, userId)).email }
}
