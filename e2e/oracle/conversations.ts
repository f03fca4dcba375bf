import type { AnyResponseTo, ResponseTo } from '../../server/src/testing/contract-types.ts'
import { objectsIn } from '../../server/src/testing/json.ts'
import type { Body, Parameters } from '../../server/src/testing/user.ts'
import { topicKey, type Message, type Organization, type Person } from './model.ts'

type RecentResponse = AnyResponseTo<'GET', '/recent'>
type Conversation = ResponseTo<'GET', '/recent'>['conversations'][number]

const MAX_LATEST_SENDERS = 5

/** Page size, small enough that there are several pages. */
const CONVERSATIONS_PER_PAGE = 8

/** Reads all pages of a list. @param read requests a page */
export async function readPages(read: (page: Parameters) => Promise<RecentResponse>): Promise<Conversation[]> {
  const listed: Conversation[] = []
  for (;;) {
    const before = listed.at(-1)?.max_message_id
    const after = before === undefined ? {} : { before }
    const answer = await read({ ...after, limit: CONVERSATIONS_PER_PAGE, muted: true, allow_empty_topic_name: true })
    // The field is missing in an error response.
    const page = answer.conversations ?? []
    listed.push(...page)
    if (page.length === 0 || answer.found_oldest === true) return listed
  }
}

/** Differences between the listed conversations and the messages that the person can read. */
export function conversationDifferences(
  listed: readonly Conversation[],
  messages: readonly Message[],
  person: Person,
): readonly string[] {
  const expected = groupByConversation(messages)
  const got = listed.map(formatListedConversation).join('; ')
  const wanted = expected.map((all) => formatExpectedConversation(all, person)).join('; ')
  const miscounted = listed.flatMap((conversation) => {
    const { first_unread_message_id: first, unread_count: unread, unread_mention_count: mentions } = conversation
    const readable = expected.find(([newest]) => newest?.id === conversation.max_message_id) ?? []
    const most = first === null ? 0 : readable.filter(({ id }) => id >= first).length
    const isReadable = first === null || readable.some(({ id }) => id === first)
    return isReadable && unread <= most && mentions <= unread
      ? []
      : [`counts ${unread} unread since ${first}, ${mentions} of them mentions, but at most ${most} are possible`]
  })
  return [...(got === wanted ? [] : [`sees ${got}, not ${wanted},`]), ...miscounted]
}

/** Groups messages by conversation. Conversations and their messages are sorted newest first. */
function groupByConversation(messages: readonly Message[]): (readonly Message[])[] {
  const byKey = new Map<string, Message[]>()
  for (const message of messages.toSorted((a, b) => b.id - a.id)) {
    const key = message.place === undefined ? message.memberIds.join() : topicKey(message.place)
    byKey.set(key, [...(byKey.get(key) ?? []), message])
  }
  return [...byKey.values()]
}

/** Formats a listed conversation, for comparison with `shownIn`. */
function formatListedConversation(conversation: Conversation): string {
  const { stream_id: channelId, topic, user_ids: userIds, participant_count: participants } = conversation
  const place = userIds === undefined ? `${channelId} ${topic}` : `with ${userIds.join()}`
  const latest = conversation.latest_sender_ids.join()
  return `${place}: ${conversation.max_message_id} by ${conversation.sender_id}, latest ${latest} of ${participants}`
}

/** Formats a conversation as it should be listed. @param messages messages that the person can read, newest first */
function formatExpectedConversation(messages: readonly Message[], person: Person): string {
  const [newest] = messages
  const senders = [...new Set(messages.map(({ senderId }) => senderId))]
  const others = newest?.memberIds.filter((id) => id !== person.id) ?? []
  const place =
    newest?.place === undefined ? `with ${others.join()}` : `${newest.place.channelId} ${newest.place.topic}`
  const latest = senders.slice(0, MAX_LATEST_SENDERS).join()
  return `${place}: ${newest?.id} by ${newest?.senderId}, latest ${latest} of ${senders.length}`
}

/** Removes snippets of server notices, which depend on the readers at the time of writing. */
export function withoutSnippetsOfNotices(model: Organization, conversations: unknown): Body[] {
  return objectsIn(conversations).map((conversation) => {
    if (model.messages.get(Number(conversation['max_message_id']))?.isNotice !== true) return conversation
    const { snippet: _, ...rest } = conversation
    return rest
  })
}
