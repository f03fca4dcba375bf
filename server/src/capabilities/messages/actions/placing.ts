import type { World } from '../../../kernel/fold.ts'
import { channelById } from '../../channels/queries.ts'
import { MARK_SENT_READ } from '../../unread/queries.ts'

/**
 * Part of the statements that write messages: puts the rows of `m` into their topics, into `messages`, and marks what
 * their senders have read. $1 is the organization, $2 the time, $3 the channels in which a topic takes the spelling of
 * its newest message; `m` has the message's `id`, `channel_id` or `conversation_topic_id`, `topic` and its key,
 * `sender_id`, `content`, `rendered_content`, `client` and `read_by_sender`. What became of it is in `p`.
 */
export const PLACE_MESSAGES = `
channel_topic as (
  insert into topics as t (organization_id, channel_id, name, name_key, first_id, max_id)
  select $1, channel_id, (array_agg(topic order by id))[1], topic_key, min(id), max(id)
  from m where channel_id is not null group by channel_id, topic_key order by channel_id, topic_key
  on conflict (organization_id, channel_id, name_key)
  do update set max_id = excluded.max_id, previous_id = t.max_id,
    name = case when t.channel_id = any($3::bigint[]) then excluded.name else t.name end
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
conversation_topic as (
  update topics t set max_id = newest.id, previous_id = t.max_id
  from (select conversation_topic_id as topic_id, max(id) as id from m where channel_id is null group by 1) newest
  where t.organization_id = $1 and t.id = newest.topic_id
  returning t.id, t.previous_id),
placed as (
  select m.*, t.id as topic_id, t.name as topic_name, t.first_id, t.previous_id
  from m join channel_topic t on t.channel_id = m.channel_id and t.name_key = m.topic_key
  union all
  select m.*, t.id, '', 0, t.previous_id from m join conversation_topic t on t.id = m.conversation_topic_id),
p as materialized (
  select placed.*, int8range(lag(id, 1, previous_id) over (partition by topic_id order by id) + 1, id + 1) as span
  from placed),
message as (
  insert into messages (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content, date_sent, client)
  select $1, id, channel_id, topic_id, sender_id, content, rendered_content, $2, client from p),
own as (${MARK_SENT_READ})`

/**
 * Channels whose earlier messages are hidden from some of the people in them. Whoever writes there must not learn from
 * the spelling of a topic that others wrote about it before.
 */
export function protectedChannels(world: World, messages: readonly { readonly channelId: number | null }[]): number[] {
  const ids = new Set(messages.map((message) => message.channelId).filter((id) => id !== null))
  return [...ids].filter((id) => channelById(world, id)?.historyPublic === false)
}
