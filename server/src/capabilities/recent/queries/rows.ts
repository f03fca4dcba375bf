import { messagesInSql, unreadSpanSql } from '../../flags/queries/unread.ts'
import { MAX_MESSAGES_OF_SENDERS, MAX_UNREAD_COUNTED, LATEST_SENDERS, MAX_SNIPPET_CHARACTERS } from '../contract.ts'

/** Length of the HTML read for a snippet, most of which can be markup. */
const SNIPPET_HTML_CHARACTERS = 40 * MAX_SNIPPET_CHARACTERS

export interface ConversationRow {
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

/**
 * Computes fields from messages within the `periods`, if any. $1 is the organization, $2 the reader.
 * @param chosen relation with `id`, `newest_id`, `channel_id`, `member_ids`, and `periods`
 */
export const rowsSql = ({ chosen, limit }: { readonly chosen: string; readonly limit: string }): string => `
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
    select m.id, m.sender_id from messages m
    where m.organization_id = $1 and m.topic_id = shown.id and m.id <= shown.newest_id
    and m.id >= coalesce(lower(shown.periods), 0) and coalesce(shown.periods @> m.id, true)
    order by m.id desc limit ${MAX_MESSAGES_OF_SENDERS}) m
  group by shown.id, m.sender_id),
senders as materialized (
  select topic_id, count(*)::int as participants,
         (array_agg(sender_id order by newest_id desc))[1:${LATEST_SENDERS}] as latest
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
