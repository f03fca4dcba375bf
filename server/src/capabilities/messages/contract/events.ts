import * as z from 'zod/mini'
import { addSorted, includesValue, removeSorted } from '../../../kernel/ascending.ts'
import { event, type ClientState } from '../../../kernel/event.ts'
import { string } from '../../../kernel/schemas.ts'
import { addUnreadTo, removeUnreadInChannels, type Conversation } from './conversations.ts'
import { message, type Message } from './records.ts'

/** Unread messages in the register response. IDs ascend in every list. */
export interface UnreadMessages {
  count: number
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  /** Grouped by topic. Topics are spelled as in the messages. */
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

export type UnreadPlace =
  { readonly stream_id: number; readonly topic: string } | { readonly memberIds: readonly number[] }

declare module '../../../kernel/event.ts' {
  interface StateFields {
    max_message_id: number
    recent_private_conversations: { user_ids: number[]; max_message_id: number }[]
    unread_msgs: UnreadMessages
  }
}

function unreadIn(state: ClientState): UnreadMessages | undefined {
  return state['unread_msgs']
}

export function addUnread(state: ClientState, ownId: number, messageIds: readonly number[], place: UnreadPlace): void {
  const unread = unreadIn(state)
  if (unread !== undefined) addSorted(unreadIdsFor(unread, ownId, place), messageIds)
}

const MENTION_FLAGS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']

export function isMention(flags: readonly string[]): boolean {
  return MENTION_FLAGS.some((flag) => flags.includes(flag))
}

export function addUnreadMention(state: ClientState, messageId: number): void {
  const unread = unreadIn(state)
  if (unread !== undefined) addSorted(unread.mentions, [messageId])
}

export function updateUnreadMention(state: ClientState, messageId: number, flags: readonly string[]): void {
  const unread = unreadIn(state)
  if (unread === undefined) return
  const isUnread = [unread.pms, unread.huddles, unread.streams].some((entries) =>
    entries.some((entry) => includesValue(entry.unread_message_ids, messageId)),
  )
  if (isUnread && isMention(flags)) addSorted(unread.mentions, [messageId])
  else removeSorted(unread.mentions, [messageId])
}

function unreadIdsFor(unread: UnreadMessages, ownId: number, place: UnreadPlace): number[] {
  if ('stream_id' in place) {
    const known = unread.streams.find((entry) => entry.stream_id === place.stream_id && entry.topic === place.topic)
    return known?.unread_message_ids ?? addUnreadList(unread, ownId, place)
  }
  const [other = ownId, ...more] = place.memberIds.filter((userId) => userId !== ownId)
  const known =
    more.length > 0
      ? unread.huddles.find((entry) => entry.user_ids_string === place.memberIds.join(','))
      : unread.pms.find((entry) => entry.other_user_id === other)
  return known?.unread_message_ids ?? addUnreadList(unread, ownId, place)
}

/** Does not search for an existing list, because searching many lists is slow. */
export function addUnreadList(
  unread: UnreadMessages,
  ownId: number,
  place: UnreadPlace,
  unread_message_ids: number[] = [],
): number[] {
  if ('stream_id' in place) {
    unread.streams.push({ stream_id: place.stream_id, topic: place.topic, unread_message_ids })
    return unread_message_ids
  }
  const [other = ownId, ...more] = place.memberIds.filter((userId) => userId !== ownId)
  if (more.length > 0) unread.huddles.push({ user_ids_string: place.memberIds.join(','), unread_message_ids })
  else unread.pms.push({ other_user_id: other, sender_id: other, unread_message_ids })
  return unread_message_ids
}

/** `messageIds` are ascending. */
export function removeUnread(state: ClientState, messageIds: readonly number[]): void {
  const unread = unreadIn(state)
  if (unread === undefined) return
  removeUnreadIds(unread, messageIds)
  removeSorted(unread.mentions, messageIds)
}

function removeUnreadIds(unread: UnreadMessages, messageIds: readonly number[]): number[] {
  const takeUnreadIds = (entries: { unread_message_ids: number[] }[]): number[] =>
    entries.flatMap((entry) => removeSorted(entry.unread_message_ids, messageIds))
  const isLeft = (entry: { unread_message_ids: number[] }): boolean => entry.unread_message_ids.length > 0
  const found = [...takeUnreadIds(unread.pms), ...takeUnreadIds(unread.huddles), ...takeUnreadIds(unread.streams)]
  if (found.length > 0) {
    unread.pms = unread.pms.filter(isLeft)
    unread.huddles = unread.huddles.filter(isLeft)
    unread.streams = unread.streams.filter(isLeft)
  }
  return found.toSorted((a, b) => a - b)
}

export function removeAllUnread(state: ClientState): void {
  const unread = unreadIn(state)
  if (unread !== undefined) Object.assign(unread, { pms: [], streams: [], huddles: [], mentions: [] })
}

/** `messageIds` are ascending. */
export function moveUnread(
  state: ClientState,
  messageIds: readonly number[],
  place: { readonly stream_id: number; readonly topic: string },
): void {
  const unread = unreadIn(state)
  if (unread === undefined) return
  const found = removeUnreadIds(unread, messageIds)
  if (found.length > 0) addUnread(state, 0, found, place)
}

/** Called by clients when the user is unsubscribed. The messages stay read even if the user subscribes again. */
export function removeUnreadInLeftChannels(state: ClientState, left: readonly { readonly stream_id: number }[]): void {
  const leftIds = new Set(left.map(({ stream_id }) => stream_id))
  const lost = unreadIn(state)?.streams.filter(({ stream_id }) => leftIds.has(stream_id)) ?? []
  removeUnread(
    state,
    lost.flatMap((entry) => entry.unread_message_ids).toSorted((a, b) => a - b),
  )
  removeUnreadInChannels(state, leftIds)
}

export const messageSent = event({
  type: 'message',
  summary: 'A message that the user can read was sent.',
  payload: z.strictObject({
    message,
    flags: z.array(string),
    /** The sender's local ID; only in the queue that the sender named. */
    local_message_id: z.optional(string),
    /** Same as `local_message_id`, but named like the parameter that sets it. */
    local_id: z.optional(string),
  }),
  touches: ['max_message_id', 'unread_msgs', 'unread_conversations', 'recent_private_conversations'],
  apply(state, { message: sent, flags }) {
    const { id } = sent
    const { user_id: ownId = 0 } = state
    if (state['max_message_id'] !== undefined) state['max_message_id'] = id
    if (!flags.includes('read')) {
      addUnread(state, ownId, [id], unreadPlaceOf(sent))
      if (isMention(flags)) addUnreadMention(state, id)
      addUnreadTo(state, conversationOf(sent), [id], isMention(flags) ? [id] : [])
    }
    if (sent.type === 'private') recordConversation(state, ownId, id, membersOf(sent))
  },
})

function membersOf(sent: Message): number[] {
  return typeof sent.display_recipient === 'string' ? [] : sent.display_recipient.map((person) => person.id)
}

function conversationOf(sent: Message): Conversation {
  return sent.stream_id === undefined
    ? { user_ids: membersOf(sent) }
    : { stream_id: sent.stream_id, topic: sent.subject }
}

function unreadPlaceOf(sent: Message): UnreadPlace {
  return sent.stream_id === undefined
    ? { memberIds: membersOf(sent) }
    : { stream_id: sent.stream_id, topic: sent.subject }
}

function recordConversation(state: ClientState, ownId: number, messageId: number, memberIds: readonly number[]): void {
  const recent = state['recent_private_conversations']
  if (recent === undefined) return
  const others = memberIds.filter((userId) => userId !== ownId)
  const rest = recent.filter((conversation) => conversation.user_ids.join() !== others.join())
  state['recent_private_conversations'] = [{ user_ids: others, max_message_id: messageId }, ...rest]
}
