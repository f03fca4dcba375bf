import * as z from 'zod/mini'
import { addSorted, removeSorted } from '../../kernel/ascending.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, id, ids, integer, nothing, string } from '../../kernel/schemas.ts'
import {
  addUnread,
  addUnreadMention,
  addUnreadTo,
  removeAllUnreadConversations,
  messagesInConversation,
  removeAllUnread,
  removeUnread,
  removeUnreadFrom,
  topicKey,
  type UnreadMessages,
} from '../messages/contract/index.ts'
import { narrow } from '../messages/contract/narrow.ts'
import { VISIBILITY, type UserTopic } from '../user-topics/contract.ts'

export const MAX_FLAGGED_MESSAGES = 5_000

/** Flags that users can set. Only the server sets other flags. */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed'] as const

export const updateMessageFlags = endpoint({
  id: 'updateMessageFlags',
  method: 'POST',
  path: '/messages/flags',
  summary: 'Add or remove a personal flag of messages: `read`, `starred`, or `collapsed`.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    messages: z.array(id).check(z.maxLength(MAX_FLAGGED_MESSAGES)),
    op: z.enum(['add', 'remove']),
    flag: string,
  }),
  output: z.object({
    messages: ids,
    ignored_because_not_subscribed_channels: ids,
  }),
  errors: ['BAD_REQUEST'],
})

export const updateMessageFlagsForNarrow = endpoint({
  id: 'updateMessageFlagsForNarrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Add or remove a personal flag of messages in a narrow around an anchor.',
  since: 155,
  forTokens: 'writing',
  input: z.object({
    /** A message ID, `newest`, `oldest`, or `first_unread`. */
    anchor: string,
    include_anchor: z._default(boolean, true),
    /** Together with `num_after`, at most 5,000. To mark more, clients continue from the last ID. */
    num_before: z.int().check(z.minimum(0)),
    num_after: z.int().check(z.minimum(0)),
    narrow,
    op: z.enum(['add', 'remove']),
    flag: string,
    /** Whether the response lists the changed messages, so that a client can undo the change. */
    list_updated: z._default(boolean, false),
  }),
  output: z.object({
    processed_count: integer,
    updated_count: integer,
    /** Ascending; only with `list_updated`. */
    updated_messages: z.optional(ids),
    first_processed_id: z.nullable(id),
    last_processed_id: z.nullable(id),
    found_oldest: boolean,
    found_newest: boolean,
    ignored_because_not_subscribed_channels: ids,
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'REQUEST_VARIABLE_MISSING', 'REQUEST_VARIABLE_INVALID'],
})

export const markAllAsRead = endpoint({
  id: 'markAllAsRead',
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read.',
  since: 0,
  forTokens: 'writing',
  input: nothing,
  output: z.object({
    /** Always true, because a single request marks all messages. */
    complete: z.literal(true),
  }),
  errors: [],
})

export const markStreamAsRead = endpoint({
  id: 'markStreamAsRead',
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark all messages in a channel as read.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ stream_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const markTopicAsRead = endpoint({
  id: 'markTopicAsRead',
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark all messages in a topic as read.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ stream_id: id, topic_name: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const messageDetails = z.strictObject({
  type: z.enum(['private', 'stream']),
  /** True if the message mentions the user by name, group, or wildcard; otherwise absent. */
  mentioned: z.optional(boolean),
  /** The other users of a direct message. */
  user_ids: z.optional(ids),
  stream_id: z.optional(id),
  topic: z.optional(string),
})
export type MessageDetails = z.output<typeof messageDetails>

declare module '../../kernel/event.ts' {
  interface StateFields {
    starred_messages: number[]
  }
}

export function starredIn(state: ClientState): number[] {
  return state['starred_messages'] ?? []
}

/** Conversations of the messages; only for the flag `read` and for clients with the capability `unread_ranges`. */
const optionalConversations = z.optional(z.array(messagesInConversation))

export const flagsAdded = event({
  type: 'update_message_flags',
  op: 'add',
  summary: 'The user added a flag to messages.',
  payload: z.strictObject({
    operation: z.literal('add'),
    flag: string,
    messages: ids,
    /** If true, all messages so far are affected, and `messages` is empty. */
    all: boolean,
    conversations: optionalConversations,
  }),
  touches: ['unread_msgs', 'unread_conversations', 'starred_messages'],
  apply(state, { flag, messages, all, conversations: places = [] }) {
    const ascending = messages.toSorted((a, b) => a - b)
    for (const place of places) removeUnreadFrom(state, place, place.message_ids)
    if (flag === 'read' && all) {
      removeAllUnread(state)
      removeAllUnreadConversations(state)
    } else if (flag === 'read') removeUnread(state, ascending)
    else if (flag === 'starred') addSorted(starredIn(state), ascending)
  },
})

export const flagsRemoved = event({
  type: 'update_message_flags',
  op: 'remove',
  summary: 'The user removed a flag from messages.',
  payload: z.strictObject({
    operation: z.literal('remove'),
    flag: string,
    messages: ids,
    all: boolean,
    message_details: z.optional(z.record(string, messageDetails)),
    conversations: optionalConversations,
  }),
  touches: ['unread_msgs', 'unread_conversations', 'starred_messages'],
  apply(state, { flag, messages, message_details = {}, conversations: places = [] }) {
    const { user_id: ownId = 0 } = state
    for (const place of places) {
      const mentions = place.message_ids.filter((messageId) => message_details[messageId]?.mentioned === true)
      addUnreadTo(state, place, place.message_ids, mentions)
    }
    for (const [messageId, details] of Object.entries(message_details)) {
      const { stream_id, topic, user_ids } = details
      const place =
        stream_id !== undefined
          ? { stream_id, topic: topic ?? '' }
          : { memberIds: [...(user_ids ?? []), ownId].toSorted((a, b) => a - b) }
      addUnread(state, ownId, [Number(messageId)], place)
      if (details.mentioned === true) addUnreadMention(state, Number(messageId))
    }
    if (flag === 'starred')
      removeSorted(
        starredIn(state),
        messages.toSorted((a, b) => a - b),
      )
  },
})

export function recountUnread(state: ClientState): void {
  const { unread_msgs, subscriptions = [], user_topics = [] } = state
  if (unread_msgs === undefined) return
  const muted = subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id)
  unread_msgs.count = countUnread(unread_msgs, new Set(muted), user_topics)
}

/** Counts unread messages outside muted channels and topics. A topic's setting overrides its channel's. */
export function countUnread(
  { pms, huddles, streams }: UnreadMessages,
  mutedChannelIds: ReadonlySet<number>,
  userTopics: readonly UserTopic[],
): number {
  const keyOf = (channelId: number, topic: string): string => `${channelId} ${topicKey(topic)}`
  const chosen = new Map(
    userTopics.map(({ stream_id, topic_name, visibility_policy }) => [keyOf(stream_id, topic_name), visibility_policy]),
  )
  const isShown = ({ stream_id, topic }: UnreadMessages['streams'][number]): boolean => {
    const policy = chosen.get(keyOf(stream_id, topic))
    return policy === undefined ? !mutedChannelIds.has(stream_id) : policy !== VISIBILITY.muted
  }
  return [...pms, ...huddles, ...streams.filter(isShown)].reduce((sum, one) => sum + one.unread_message_ids.length, 0)
}
