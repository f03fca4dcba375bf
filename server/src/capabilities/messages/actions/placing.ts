import type { World } from '../../../kernel/fold.ts'
import { channelById } from '../../channels/queries.ts'
import { MARK_SENT_READ } from '../../unread/queries.ts'
import { CLAIM_UPLOADS } from '../../uploads/queries.ts'
import type { Reach } from '../rules/reach.ts'

/**
 * Part of the statements that write messages: puts the rows of `m` into their topics and into `messages`, and notes
 * who has read them, whom they mention or alert and which uploads they link. The statement's first twelve parameters
 * are `placingParameters`;
 * `m` has the message's place `n` in that list, its `id`, `channel_id` or `conversation_topic_id`, `topic` and its key,
 * `sender_id`, `content`, `rendered_content`, `mentions_channel` and `client`. What became of it is in `p`.
 */
export const PLACE_MESSAGES = `
touched as materialized (
  select channel_id, topic_key, (array_agg(topic order by id))[1] as topic, min(id) as first_id, max(id) as max_id
  from m where channel_id is not null group by channel_id, topic_key),
known_topic as (
  update topics t set max_id = touched.max_id, previous_id = t.max_id
  from touched
  where t.organization_id = $1 and t.channel_id = touched.channel_id and t.name_key = touched.topic_key
    and t.channel_id <> all ($3::bigint[])
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
other_topic as (
  insert into topics as t (organization_id, channel_id, name, name_key, first_id, max_id)
  select $1, channel_id, topic, topic_key, first_id, max_id from touched
  where not exists (
    select from known_topic known where known.channel_id = touched.channel_id and known.name_key = touched.topic_key)
  on conflict (organization_id, channel_id, name_key)
  do update set max_id = excluded.max_id, previous_id = t.max_id,
    name = case when t.channel_id = any($3::bigint[]) then excluded.name else t.name end
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
channel_topic as (select * from known_topic union all select * from other_topic),
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
  insert into messages (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content,
                        mentions_channel, date_sent, client)
  select $1, id, channel_id, topic_id, sender_id, content, rendered_content, mentions_channel, $2, client from p),
reader as (
  select p.topic_id, p.span, reader.user_id
  from p join unnest($4::bigint[], $5::bigint[]) as reader(n, user_id) on reader.n = p.n),
read as (${MARK_SENT_READ}),
flag as (
  insert into message_flags (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
  select $1, flag.user_id, p.id, flag.mentioned, flag.topic_mentioned, flag.alerted
  from p join unnest($6::bigint[], $7::bigint[], $8::boolean[], $9::boolean[], $10::boolean[])
    as flag(n, user_id, mentioned, topic_mentioned, alerted) on flag.n = p.n),
${CLAIM_UPLOADS}`

/** What `PLACE_MESSAGES` is told of messages, in their order: $3 are the channels whose topics change their spelling. */
export function placingParameters(
  world: World,
  now: number,
  messages: readonly {
    readonly channelId: number | null
    readonly reach: Reach
    readonly uploadIds: readonly number[]
  }[],
): unknown[] {
  const readers = messages.flatMap(({ reach }, index) => reach.readBy.map((userId) => ({ n: index + 1, userId })))
  const flags = messages.flatMap(({ reach }, index) => flagsIn(reach).map((flag) => ({ n: index + 1, ...flag })))
  const uploads = messages.flatMap(({ uploadIds }, index) => uploadIds.map((id) => ({ n: index + 1, id })))
  return [
    world.organizationId,
    now,
    protectedChannels(world, messages),
    readers.map((reader) => reader.n),
    readers.map((reader) => reader.userId),
    flags.map((flag) => flag.n),
    flags.map((flag) => flag.userId),
    flags.map((flag) => flag.mentioned),
    flags.map((flag) => flag.topicMentioned),
    flags.map((flag) => flag.alerted),
    uploads.map((upload) => upload.n),
    uploads.map((upload) => upload.id),
  ]
}

interface Flags {
  readonly userId: number
  readonly mentioned: boolean
  readonly topicMentioned: boolean
  readonly alerted: boolean
}

/** Those whom a message means, each with how. */
function flagsIn({ mentioned, topicMentioned, alerted }: Reach): Flags[] {
  const [named, took, watching] = [new Set(mentioned), new Set(topicMentioned), new Set(alerted)]
  return Array.from(new Set([...mentioned, ...topicMentioned, ...alerted]), (userId) => ({
    userId,
    mentioned: named.has(userId),
    topicMentioned: took.has(userId),
    alerted: watching.has(userId),
  }))
}

/** What a message event stores beside the id: what differs per receiver. */
export interface MessagePayload {
  /** For whom it starts as read. */
  readonly read_by?: readonly number[]
  readonly mentioned?: readonly number[]
  readonly topic_mentioned?: readonly number[]
  readonly alerted?: readonly number[]
  readonly queue_id?: string
  readonly local_id?: string
}

export function payloadOf(reach: Reach): MessagePayload {
  return {
    ...(reach.readBy.length > 0 ? { read_by: reach.readBy } : {}),
    ...(reach.mentioned.length > 0 ? { mentioned: reach.mentioned } : {}),
    ...(reach.topicMentioned.length > 0 ? { topic_mentioned: reach.topicMentioned } : {}),
    ...(reach.alerted.length > 0 ? { alerted: reach.alerted } : {}),
  }
}

/**
 * Channels whose earlier messages are hidden from some of the people in them. Whoever writes there must not learn from
 * the spelling of a topic that others wrote about it before.
 */
function protectedChannels(world: World, messages: readonly { readonly channelId: number | null }[]): number[] {
  const ids = new Set(messages.map((message) => message.channelId).filter((id) => id !== null))
  return [...ids].filter((id) => channelById(world, id)?.historyPublic === false)
}
