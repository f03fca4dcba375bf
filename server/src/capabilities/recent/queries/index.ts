import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { TimeFormat } from '../../../platform/html/text.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { messagesInSql, unreadSpanSql } from '../../flags/queries/unread.ts'
import { newestDirectMessagesSql } from '../../messages/queries/stored.ts'
import { timeFormatOf } from '../../users/queries/settings.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import {
  MAX_SNIPPET_CHARACTERS,
  MAX_MESSAGES_READ_FOR_SENDERS,
  MAX_UNREAD_COUNTED,
  MAX_LATEST_SENDERS,
  type RecentConversation,
} from '../contract.ts'
import {
  accessToChannel,
  accessToSubscribedChannels,
  conversationPageSql,
  type ReadableChannels,
  type ConversationQuery,
} from './finding.ts'
import { snippetOf } from './snippet.ts'

const MAX_ID = 9_007_199_254_740_991

const MAX_ATTEMPTS = 3

export async function getRecentConversations(
  reader: Reader,
  input: Input<typeof contract.getRecentConversations>,
): Promise<Output<typeof contract.getRecentConversations>> {
  const { channel_id: channelId } = input
  const readAccess = (): ReadableChannels =>
    channelId === undefined ? accessToSubscribedChannels(reader) : accessToChannel(reader, channelId)
  const wanted: ConversationQuery = {
    limit: input.limit,
    before: input.before ?? MAX_ID,
    unread: input.unread,
    participated: input.participated,
    unresolved: input.unresolved,
    followed: input.followed,
    muted: input.muted,
    direct: channelId === undefined,
  }
  const found = await readPage(reader, readAccess, wanted)
  const timeFormat = timeFormatOf(reader.organization, knownUser(reader.organization, reader.actor.userId))
  return {
    conversations: found.rows.map((row) =>
      presentRecentConversation(reader, row, input.allow_empty_topic_name, timeFormat),
    ),
    found_oldest: found.isLast,
  }
}

interface ConversationPage {
  readonly rows: readonly ConversationRow[]
  readonly isLast: boolean
}

/** Reads a page with the permissions at its log position. Retries if permissions changed in the meantime. */
async function readPage(
  reader: Reader,
  readAccess: () => ReadableChannels,
  wanted: ConversationQuery,
  attempt = 1,
): Promise<ConversationPage> {
  const access = readAccess()
  const values: unknown[] = [reader.organizationId, reader.actor.userId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const limit = `${bind(wanted.limit)}::int`
  const text = `with ${conversationPageSql(reader, access, wanted, bind)},
page as (with ${conversationRowsSql({ chosen: 'chosen', limit })})
select (select position from organizations where id = $1) as position,
  (select count(*) <= ${limit} from chosen) as "isLast", (select json_agg(page) from page) as rows`
  const [answer] = await reader.db.rows<{ position: number; isLast: boolean; rows: ConversationRow[] | null }>(
    '',
    text,
    values,
  )
  if (answer === undefined) throw new Error('a statement without a table answers with no row')
  await reader.reach(answer.position)
  const now = readAccess()
  const { rows, isLast } = { ...answer, rows: answer.rows ?? [] }
  if (JSON.stringify(now) === JSON.stringify(access)) return { rows, isLast }
  if (attempt < MAX_ATTEMPTS) return readPage(reader, readAccess, wanted, attempt + 1)
  const isStillReadable = ({ channelId }: ConversationRow): boolean =>
    channelId === null ||
    now.open.includes(channelId) ||
    (now.guarded.includes(channelId) && access.guarded.includes(channelId))
  return { rows: rows.filter(isStillReadable), isLast }
}

function presentRecentConversation(
  { actor }: Reader,
  row: ConversationRow,
  emptyTopicName: boolean,
  timeFormat: TimeFormat,
): RecentConversation {
  const place: Partial<RecentConversation> & Pick<RecentConversation, 'type'> =
    row.channelId === null
      ? { type: 'private', user_ids: (row.memberIds ?? []).filter((userId) => userId !== actor.userId) }
      : { type: 'stream', stream_id: row.channelId, topic: presentTopic(row.topic, emptyTopicName) }
  return {
    ...place,
    max_message_id: row.newestId,
    sender_id: row.senderId,
    timestamp: row.dateSent,
    snippet: snippetOf(row.html, MAX_SNIPPET_CHARACTERS, timeFormat),
    first_unread_message_id: row.firstUnreadId,
    unread_count: row.unreadCount,
    unread_mention_count: row.mentionCount,
    latest_sender_ids: [...row.latestSenderIds],
    participant_count: row.participantCount,
  }
}

const SNIPPET_HTML_CHARACTERS = 40 * MAX_SNIPPET_CHARACTERS

interface ConversationRow {
  readonly channelId: number | null
  readonly topic: string
  readonly memberIds: readonly number[] | null
  readonly newestId: number
  readonly senderId: number
  readonly dateSent: number
  readonly html: string
  readonly firstUnreadId: number | null
  readonly unreadCount: number
  readonly mentionCount: number
  readonly latestSenderIds: readonly number[]
  readonly participantCount: number
}

/** Null in channels, so that nothing is read there. */
const DIRECT_TOPIC = 'case when shown.channel_id is null then shown.id end'

/** `chosen`: relation with `id`, `newest_id`, `channel_id`, `member_ids`, `periods`. $1: organization; $2: reader. */
const conversationRowsSql = ({ chosen, limit }: { readonly chosen: string; readonly limit: string }): string => `
shown as materialized (
  select c.*, t.name, ${unreadSpanSql({ topic: 't' })} as spans
  from (select * from ${chosen} order by newest_id desc limit ${limit}) c
  join topics t on t.organization_id = $1 and t.id = c.id),
unread_message as materialized (
  select shown.id as topic_id, m.id from shown cross join lateral (
    select m.id from unnest(shown.spans) as range cross join lateral ${messagesInSql({ topic: 'shown' })} m
    limit ${MAX_UNREAD_COUNTED}) m),
mention as materialized (
  select message_id as id from message_flags
  where organization_id = $1 and user_id = $2 and (mentioned or topic_wildcard_mentioned)
  and message_id >= (select min(id) from unread_message)
  union select id from messages
  where organization_id = $1 and mentions_channel and id >= (select min(id) from unread_message)),
counted as materialized (
  select u.topic_id, min(u.id) as first_id, count(*)::int as messages, count(mention.id)::int as mentions
  from unread_message u left join mention on mention.id = u.id group by u.topic_id),
sender as materialized (
  select shown.id as topic_id, m.sender_id, max(m.id) as newest_id
  from shown cross join lateral (
    select m.id, m.sender_id from (
      (select m.id, m.sender_id from messages m
       where shown.channel_id is not null and m.organization_id = $1 and m.topic_id = shown.id
       and m.id <= shown.newest_id
       and m.id >= coalesce(lower(shown.periods), 0) and coalesce(shown.periods @> m.id, true)
       order by m.id desc limit ${MAX_MESSAGES_READ_FOR_SENDERS})
      union all ${newestDirectMessagesSql({ topic: DIRECT_TOPIC, limit: MAX_MESSAGES_READ_FOR_SENDERS })}) m
    order by m.id desc limit ${MAX_MESSAGES_READ_FOR_SENDERS}) m
  group by shown.id, m.sender_id),
senders as materialized (
  select topic_id, count(*)::int as participants,
         (array_agg(sender_id order by newest_id desc))[1:${MAX_LATEST_SENDERS}] as latest
  from sender group by topic_id)
select shown.channel_id as "channelId", coalesce(m.topic_spelling, shown.name) as topic,
  shown.member_ids as "memberIds", shown.newest_id as "newestId", m.sender_id as "senderId",
  m.date_sent as "dateSent", left(m.rendered_content, ${SNIPPET_HTML_CHARACTERS}) as html,
  counted.first_id as "firstUnreadId", coalesce(counted.messages, 0) as "unreadCount",
  coalesce(counted.mentions, 0) as "mentionCount",
  senders.latest as "latestSenderIds", senders.participants as "participantCount"
from shown
join messages m on m.organization_id = $1 and m.id = shown.newest_id
join senders on senders.topic_id = shown.id
left join counted on counted.topic_id = shown.id
order by shown.newest_id desc`
