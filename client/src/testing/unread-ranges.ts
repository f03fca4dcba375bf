import { covers, type Range } from '../../../server/src/kernel/ranges.ts'
import { topicKey, unreadConversationsIn } from '../../../server/src/capabilities/messages/contract/conversations.ts'
import type { Body, TestUser } from '../../../server/src/testing/user.ts'

interface UnreadCount {
  readonly count: number
  readonly mentions: readonly number[]
  readonly ranges: readonly Range[]
  readonly last_id: number
}

const topicConversationKey = (channelId: number, topic: string): string => `topic ${channelId} ${topicKey(topic)}`
const directConversationKey = (userIds: readonly number[]): string => `direct ${userIds.join()}`

/** Unread conversations by key; undefined for clients without ranges. */
function conversationsIn(state: Body): Map<string, UnreadCount> | undefined {
  const unread = unreadConversationsIn(state)
  if (unread === undefined) return undefined
  const topics = unread.channels.flatMap(({ stream_id, ranges: usual, topics: all }) =>
    all.map(
      ({ topic, ranges = usual, mentions = [], ...rest }) =>
        [topicConversationKey(stream_id, topic), { ...rest, mentions, ranges }] as const,
    ),
  )
  const directs = unread.directs.map(
    ({ user_ids, mentions = [], ...rest }) => [directConversationKey(user_ids), { ...rest, mentions }] as const,
  )
  return new Map([...topics, ...directs])
}

/** Unread counts and mentions. Excludes ranges, because different ranges can represent the same messages. */
export function countsIn(state: Body): Body | undefined {
  const conversations = conversationsIn(state)
  if (conversations === undefined) return undefined
  return Object.fromEntries(Array.from(conversations, ([key, { count, mentions }]) => [key, { count, mentions }]))
}

interface ListedMessage {
  readonly id: number
  readonly flags: readonly string[]
  readonly stream_id?: number | undefined
  readonly subject: string
  readonly display_recipient: string | readonly { readonly id: number }[]
}

function conversationOf({ stream_id, subject, display_recipient }: ListedMessage): string {
  if (stream_id !== undefined) return topicConversationKey(stream_id, subject)
  return typeof display_recipient === 'string' ? '' : directConversationKey(display_recipient.map(({ id }) => id))
}

/** Compares a state's ranges and counts with its user's messages, one by one. */
export async function wrongRanges(user: TestUser, state: Body): Promise<string[]> {
  const conversations = conversationsIn(state)
  if (conversations === undefined) return []
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5_000,
    allow_empty_topic_name: true,
  })
  const wrong: string[] = []
  const newest = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const message of messages) {
    const key = conversationOf(message)
    const isUnread = !message.flags.includes('read')
    if (covers(conversations.get(key)?.ranges ?? [], message.id) !== isUnread) {
      wrong.push(`message ${message.id} of ${key} is ${isUnread ? '' : 'not '}unread, its ranges say otherwise`)
    }
    if (!isUnread) continue
    newest.set(key, message.id)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, { count, last_id }] of conversations) {
    if (count !== counts.get(key)) wrong.push(`${key} counts ${count}, and has ${counts.get(key) ?? 0} unread`)
    if (last_id < (newest.get(key) ?? 0)) wrong.push(`${key} has messages newer than ${last_id}`)
  }
  return wrong
}
