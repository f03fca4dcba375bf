import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { mayRead } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { presentConversation } from '../../messages/queries/conversations.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import type { MessageDeletion, MessageUpdate } from '../contract/index.ts'

/**
 * Who reads this late may have lost the channel since, and then reads what was changed as little as history. What left
 * a channel that the user has kept must not stay there in the user's clients.
 */
export function isMessageUpdateWanted({ payload }: LoggedEvent, viewer: Viewer): boolean {
  // The payload is the declared one.
  const { message_id, stream_id, new_stream_id } = payload as MessageUpdate
  if (stream_id === undefined) return true
  const member = viewingMember(viewer)
  return [stream_id, new_stream_id ?? stream_id].some((channelId) =>
    mayRead(viewer.organization, member, { id: message_id, channelId, memberIds: null }),
  )
}

export function messageUpdatedToClient({ payload }: LoggedEvent, { form }: Viewer): Record<string, unknown> {
  const { orig_subject, subject, conversation, ...rest } = sharedUpdate(payload)
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

export function messageUpdatedPerUserFields({ payload }: LoggedEvent, { userId }: Viewer): Record<string, unknown> {
  return { flags: flagsIn(payload, userId) }
}

export function messagesDeletedToClient(
  { payload }: LoggedEvent,
  { form }: Viewer,
): Record<string, unknown> | undefined {
  // The payload is the declared one: of several messages, the first part has the ids of all.
  const { message_ids, message_id, topic, user_ids, ...rest } = payload as MessageDeletion
  const { bulk_message_deletion, empty_topic_name, unread_ranges } = form.capabilities
  if (bulk_message_deletion && message_ids === undefined) return undefined
  return {
    ...rest,
    ...(topic === undefined ? {} : { topic: presentTopic(topic, empty_topic_name) }),
    ...(bulk_message_deletion ? { message_ids } : { message_id }),
    ...(user_ids === undefined || !unread_ranges ? {} : { user_ids }),
  }
}

/** Users with the same flags of a message. */
export interface FlagGroup {
  readonly flags: string[]
  readonly users: number[]
}

/** An update as the log has it: one for all receivers, with the flags that most have, and the users who have others. */
export type LoggedUpdate = MessageUpdate & {
  /** Absent in what an earlier version logged, where each user with other flags had a separate event. */
  readonly others?: readonly FlagGroup[]
} & LateMentions

/** Whom a message mentions since its text was changed, for what notifies them. No client is told. */
export type LateMentions = {
  readonly newly_mentioned?: readonly number[]
  /** The message mentions all in the channel, and before only some, if any. */
  readonly newly_mentions_all?: { readonly before: readonly number[] }
}

/** What all see the same of an update. */
function sharedUpdate(payload: LoggedEvent['payload']): Omit<MessageUpdate, 'flags'> {
  // Written by `emitUpdate` alone.
  const { flags: _, others: __, newly_mentioned: ___, newly_mentions_all: ____, ...update } = payload as LoggedUpdate
  return update
}

/** Each of ten thousand receivers is looked for in lists that may name as many. */
const flagsByUser = new WeakMap<object, ReadonlyMap<number, string[]>>()

/** A receiver's flags of the message. */
function flagsIn(payload: LoggedEvent['payload'], userId: number): string[] {
  // Written by `emitUpdate` alone.
  const { flags, others = [] } = payload as LoggedUpdate
  const known =
    flagsByUser.get(payload) ?? new Map(others.flatMap((group) => group.users.map((id) => [id, group.flags])))
  flagsByUser.set(payload, known)
  return known.get(userId) ?? flags
}
