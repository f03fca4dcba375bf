import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { mayReadMessage } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { presentConversation } from '../../messages/queries/stored.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import type { MessageDeletion, MessageUpdate } from '../contract.ts'

/** Viewers of the former channel need an update even if they cannot see the new channel. */
export function isMessageUpdateWanted({ payload }: LoggedEvent<MessageUpdate>, viewer: Viewer): boolean {
  const { message_id, stream_id, new_stream_id } = payload
  if (stream_id === undefined) return true
  const member = viewingMember(viewer)
  return [stream_id, new_stream_id ?? stream_id].some((channelId) =>
    mayReadMessage(viewer.organization, member, { id: message_id, channelId, readerIds: null }),
  )
}

export function messageUpdatedToClient(
  { payload }: LoggedEvent<LoggedUpdate>,
  { form }: Viewer,
): Record<string, unknown> {
  const { orig_subject, subject, conversation, ...rest } = withoutLoggedFields(payload)
  const { empty_topic_name, unread_ranges } = form.capabilities
  const named = (topic: string): string => presentTopic(topic, empty_topic_name)
  return {
    ...rest,
    ...(orig_subject === undefined ? {} : { orig_subject: named(orig_subject) }),
    ...(subject === undefined ? {} : { subject: named(subject) }),
    ...(conversation === undefined || !unread_ranges
      ? {}
      : { conversation: presentConversation(conversation, empty_topic_name) }),
  }
}

export function messageUpdatedPerUserFields(
  { payload }: LoggedEvent<LoggedUpdate>,
  { userId }: Viewer,
): Record<string, unknown> {
  return { flags: flagsIn(payload, userId) }
}

export function messagesDeletedToClient(
  { payload }: LoggedEvent<MessageDeletion>,
  { form }: Viewer,
): Record<string, unknown> | undefined {
  // If a deletion sends several events, the first one lists all IDs.
  const { message_ids, message_id, topic, user_ids, ...rest } = payload
  const { bulk_message_deletion, empty_topic_name, unread_ranges } = form.capabilities
  if (bulk_message_deletion && message_ids === undefined) return undefined
  return {
    ...rest,
    ...(topic === undefined ? {} : { topic: presentTopic(topic, empty_topic_name) }),
    ...(bulk_message_deletion ? { message_ids } : { message_id }),
    ...(user_ids === undefined || !unread_ranges ? {} : { user_ids }),
  }
}

export interface FlagGroup {
  readonly flags: string[]
  readonly users: number[]
}

/** Logged update for all receivers: the most common flags, and users with different flags. */
export type LoggedUpdate = MessageUpdate & {
  readonly others?: readonly FlagGroup[]
} & NewMentions

export type NewMentions = {
  readonly newly_mentioned?: readonly number[]
  readonly newly_mentions_all?: { readonly before: readonly number[] }
}

function withoutLoggedFields(payload: LoggedUpdate): Omit<MessageUpdate, 'flags'> {
  const { flags: _, others: __, newly_mentioned: ___, newly_mentions_all: ____, ...update } = payload
  return update
}

/** Indexed, because each of ten thousand receivers may be looked up in a list of that size. */
const flagsByUser = new WeakMap<object, ReadonlyMap<number, string[]>>()

function flagsIn(payload: LoggedUpdate, userId: number): string[] {
  const { flags, others = [] } = payload
  const known =
    flagsByUser.get(payload) ?? new Map(others.flatMap((group) => group.users.map((id) => [id, group.flags])))
  flagsByUser.set(payload, known)
  return known.get(userId) ?? flags
}
