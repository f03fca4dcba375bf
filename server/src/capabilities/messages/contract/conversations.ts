import * as z from 'zod/mini'
import { addSorted, removeSorted } from '../../../kernel/ascending.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import type { ClientState } from '../../../kernel/event.ts'
import { addToRanges, covers, removeFromRanges, type Range } from '../../../kernel/ranges.ts'
import { id, ids, integer, string, boolean, idInRequest } from '../../../kernel/schemas.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../organizations/contract/index.ts'

/* For clients with `unread_ranges`: counts and ID ranges, whose size does not grow with the number of messages. */

/** A topic, or all users in a direct conversation, ascending, including the reader. */
export const conversation = z.union([
  z.strictObject({ stream_id: id, topic: string }),
  z.strictObject({ user_ids: ids }),
])
export type Conversation = z.output<typeof conversation>

export const messagesInConversation = z.union([
  z.strictObject({ stream_id: id, topic: string, message_ids: ids }),
  z.strictObject({ user_ids: ids, message_ids: ids }),
])
export type MessagesInConversation = z.output<typeof messagesInConversation>

const idRange = z.tuple([id, id])

const unreadTopic = z.strictObject({
  /** Topic, spelled as in the oldest unread message. Names that differ only in case are one topic. */
  topic: string,
  count: integer,
  /** At least the ID of the newest unread message, and exactly that ID until the message is read. */
  last_id: id,
  /** IDs of unread messages with mentions, ascending; absent if none. */
  mentions: z.optional(ids),
  /** ID ranges of unread messages; absent if equal to the channel's ranges. */
  ranges: z.optional(z.array(idRange)),
})
export type UnreadTopic = z.output<typeof unreadTopic>

const unreadDirect = z.strictObject({
  /** All users in the conversation, ascending, including the reader. */
  user_ids: ids,
  count: integer,
  last_id: id,
  mentions: z.optional(ids),
  ranges: z.array(idRange),
})
export type UnreadDirect = z.output<typeof unreadDirect>

export const unreadConversations = z.strictObject({
  channels: z.array(
    z.strictObject({
      stream_id: id,
      ranges: z.array(idRange),
      topics: z.array(unreadTopic),
    }),
  ),
  directs: z.array(unreadDirect),
})
export type UnreadConversations = z.output<typeof unreadConversations>

/** All spellings of a topic share a key, including the empty topic's name for older clients. */
export function topicKey(topic: string): string {
  return topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : caseKey(topic)
}

interface UnreadEntry {
  count: number
  last_id: number
  mentions?: number[] | undefined
  ranges: Range[]
}

declare module '../../../kernel/event.ts' {
  interface StateFields {
    unread_conversations: UnreadConversations
  }
}

export function unreadConversationsIn(state: ClientState): UnreadConversations | undefined {
  return state['unread_conversations']
}

function findUnreadEntry(unread: UnreadConversations, sought: Conversation): UnreadEntry | undefined {
  if ('user_ids' in sought) {
    const members = sought.user_ids.join()
    return unread.directs.find(({ user_ids }) => user_ids.join() === members)
  }
  const channel = unread.channels.find(({ stream_id }) => stream_id === sought.stream_id)
  const key = topicKey(sought.topic)
  const topic =
    channel?.topics.find((one) => one.topic === sought.topic) ??
    channel?.topics.find((one) => topicKey(one.topic) === key)
  if (channel === undefined || topic === undefined) return undefined
  const ranges = topic.ranges ?? channel.ranges.map(([first, last]): Range => [first, last])
  return Object.assign(topic, { ranges })
}

function addUnreadEntry(unread: UnreadConversations, place: Conversation): UnreadEntry {
  const entry: UnreadEntry = { count: 0, last_id: 0, ranges: [] }
  if ('user_ids' in place) {
    const direct = { user_ids: [...place.user_ids], ...entry }
    unread.directs.push(direct)
    return direct
  }
  const topic = { topic: place.topic, ...entry }
  const channel = unread.channels.find(({ stream_id }) => stream_id === place.stream_id)
  if (channel === undefined) unread.channels.push({ stream_id: place.stream_id, ranges: [], topics: [topic] })
  else channel.topics.push(topic)
  return topic
}

/** `mentions` is a subset of `messageIds`. */
export function addUnreadTo(
  state: ClientState,
  place: Conversation,
  messageIds: readonly number[],
  mentions: readonly number[],
): void {
  const unread = unreadConversationsIn(state)
  const newest = messageIds.at(-1)
  if (unread === undefined || newest === undefined) return
  const entry = findUnreadEntry(unread, place) ?? addUnreadEntry(unread, place)
  entry.count += addToRanges(entry.ranges, messageIds)
  entry.last_id = Math.max(entry.last_id, newest)
  if (mentions.length > 0) addSorted((entry.mentions ??= []), mentions)
}

/** Returns the messages that were unread. */
export function removeUnreadFrom(
  state: ClientState,
  place: Conversation,
  messageIds: readonly number[],
): { readonly unread: readonly number[]; readonly mentions: readonly number[] } {
  const unread = unreadConversationsIn(state)
  const entry = unread === undefined ? undefined : findUnreadEntry(unread, place)
  if (unread === undefined || entry === undefined) return { unread: [], mentions: [] }
  const found = removeFromRanges(entry.ranges, messageIds)
  const mentions = removeSorted(entry.mentions ?? [], messageIds)
  if (entry.mentions?.length === 0) delete entry.mentions
  entry.count -= found.length
  if (entry.count === 0) {
    unread.directs = unread.directs.filter(({ count }) => count > 0)
    for (const channel of unread.channels) channel.topics = channel.topics.filter(({ count }) => count > 0)
    unread.channels = unread.channels.filter(({ topics }) => topics.length > 0)
  }
  return { unread: found, mentions }
}

/** `from` is undefined if the reader could not see the messages before. */
export function moveUnreadBetween(
  state: ClientState,
  messageIds: readonly number[],
  from: Conversation | undefined,
  to: Conversation,
): void {
  const unread = unreadConversationsIn(state)
  if (unread === undefined) return
  const moved = from === undefined ? { unread: [], mentions: [] } : removeUnreadFrom(state, from, messageIds)
  const target = findUnreadEntry(unread, to)
  if (target !== undefined) removeFromRanges(target.ranges, messageIds)
  addUnreadTo(state, to, moved.unread, moved.mentions)
}

export function updateMentionIn(state: ClientState, place: Conversation, messageId: number, isMention: boolean): void {
  const unread = unreadConversationsIn(state)
  const entry = unread === undefined ? undefined : findUnreadEntry(unread, place)
  if (entry === undefined) return
  if (isMention && covers(entry.ranges, messageId)) addSorted((entry.mentions ??= []), [messageId])
  else if (entry.mentions !== undefined) {
    removeSorted(entry.mentions, [messageId])
    if (entry.mentions.length === 0) delete entry.mentions
  }
}

export function removeAllUnreadConversations(state: ClientState): void {
  if (unreadConversationsIn(state) !== undefined) state['unread_conversations'] = { channels: [], directs: [] }
}

export function removeUnreadInChannels(state: ClientState, leftIds: ReadonlySet<number>): void {
  const unread = unreadConversationsIn(state)
  if (unread !== undefined) unread.channels = unread.channels.filter(({ stream_id }) => !leftIds.has(stream_id))
}

export const MAX_TOPICS_LISTED = 50_000

export const getStreamTopics = endpoint({
  id: 'getStreamTopics',
  method: 'GET',
  path: '/users/me/:stream_id/topics',
  summary: "List a channel's topics, most recent first.",
  since: 0,
  forTokens: 'reading',
  forChannelTokens: true,
  forSpectators: true,
  input: z.object({ stream_id: idInRequest, allow_empty_topic_name: z._default(boolean, false) }),
  output: z.object({
    topics: z.array(
      z.strictObject({
        name: string,
        max_id: id,
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
})
