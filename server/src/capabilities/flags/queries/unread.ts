/*
 * The read state has two levels, both multiranges of positions: per user, and per topic. In a topic, each message
 * covers the interval since the previous message, so that intervals merge. A message is unread if neither level covers
 * it and it was sent directly or during the user's current subscription.
 */
import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import * as contract from '../../messages/contract/index.ts'
import { subscriptionsProjection } from '../../channels/queries/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { userTopicsOf } from '../../user-topics/queries.ts'
import { countUnread } from '../contract.ts'

const MAX_UNREAD_LISTED = 50_000

export interface UnreadTopic {
  readonly topic_id: number
  readonly channel_id: number | null
  readonly name: string
  readonly member_ids: readonly number[] | null
  readonly ids: readonly number[]
}

/** Defines `candidate`: topics and conversations with their `unread` positions. $1: organization; $2: user. */
export const UNREAD_SPANS = `
  mine as materialized (
    select coalesce((select read from user_reads where organization_id = $1 and user_id = $2), '{}') as read),
  open as materialized (
    select s.channel_id, int8multirange(int8range(lower(range), null)) - mine.read as span
    from mine cross join subscriptions s cross join lateral unnest(s.periods) as range
    where s.organization_id = $1 and s.user_id = $2 and upper_inf(range)),
  candidate as materialized (
    select t.id, t.channel_id, t.name, null::bigint[] as member_ids, t.first_id, t.max_id,
           open.span * int8multirange(int8range(t.first_id, t.max_id + 1)) - coalesce(r.read, '{}') as unread
    from open
    join topics t on t.organization_id = $1 and t.channel_id = open.channel_id
      and t.era >= lower(open.span) >> 10 and t.max_id >= lower(open.span)
    left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = t.id
    where not isempty(open.span)
    union all
    select t.id, null, t.name, c.member_ids, t.first_id, t.max_id,
           int8multirange(int8range(t.first_id, t.max_id + 1)) - mine.read - coalesce(r.read, '{}')
    from mine cross join conversation_members m
    join conversations c on c.organization_id = $1 and c.id = m.conversation_id
    join topics t on t.organization_id = $1 and t.id = c.topic_id
    left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = t.id
    where m.organization_id = $1 and m.user_id = $2)`

/** Messages in a `range`, oldest first. `offset 0` forces a lookup per range, which takes 20 ms instead of 380 ms. */
export const messagesInSql = ({ topic: t }: { readonly topic: string }): string =>
  `(select id from messages where organization_id = $1 and topic_id = ${t}.id
    and id >= lower(range) and id < upper(range) order by id offset 0)`

/** Unread positions of one topic or conversation (alias `topic`). $1 is the organization, $2 the user. */
export const unreadSpanSql = ({ topic: t }: { readonly topic: string }): string => `(
  case when ${t}.channel_id is null then int8multirange(int8range(0, null)) else coalesce((
    select int8multirange(int8range(lower(period), null)) from subscriptions s cross join lateral unnest(s.periods) as period
    where s.organization_id = $1 and s.user_id = $2 and s.channel_id = ${t}.channel_id and upper_inf(period)), '{}') end
  * int8multirange(int8range(${t}.first_id, ${t}.max_id + 1))
  - coalesce((select read from user_reads where organization_id = $1 and user_id = $2), '{}')
  - coalesce((select r.read from topic_reads r
    where r.organization_id = $1 and r.user_id = $2 and r.topic_id = ${t}.id), '{}'))`

/** Condition that a received message (alias `message`) is unread. $1 is the organization, $2 the user. */
export const unreadSql = ({ message: m }: { readonly message: string }): string => `
  not coalesce((select read from user_reads where organization_id = $1 and user_id = $2) @> ${m}.id, false)
  and not coalesce((select r.read @> ${m}.id from topic_reads r
    where r.organization_id = $1 and r.user_id = $2 and r.topic_id = ${m}.topic_id), false)
  and (${m}.channel_id is null or exists (select from subscriptions s cross join lateral unnest(s.periods) as period
    where s.organization_id = $1 and s.user_id = $2 and s.channel_id = ${m}.channel_id
    and upper_inf(period) and lower(period) <= ${m}.id))`

export interface UnreadInTopic {
  readonly topicId: number
  readonly topic: string
  readonly ids: readonly number[]
}

/** SQL for the name of a topic (`topic`: alias) as a message (`message`: expression for its ID) spells it. */
export const topicNameSql = ({ topic: t, message }: { readonly topic: string; readonly message: string }): string => `
  coalesce((select s.topic_spelling from messages s where s.organization_id = $1 and s.topic_id = ${t}.id
    and s.id = ${message} and s.topic_spelling is not null), ${t}.name)`

export async function unreadInChannel(
  db: Db,
  organizationId: number,
  userId: number,
  channelId: number,
  topicKey: string | null,
): Promise<UnreadInTopic[]> {
  return db.rows(
    'unread_in_channel',
    `with ${UNREAD_SPANS},
     found as (
       select c.id, c.name, array_agg(m.id order by m.id) as ids
       from candidate c cross join lateral unnest(c.unread) as range cross join lateral ${messagesInSql({ topic: 'c' })} m
       where c.channel_id = $3 and ($4::text is null or c.id = (
         select id from topics where organization_id = $1 and channel_id = $3 and name_key = $4))
       group by c.id, c.name)
     select id as "topicId", ${topicNameSql({ topic: 'found', message: 'found.ids[1]' })} as topic, ids
     from found order by ids[1]`,
    [organizationId, userId, channelId, topicKey],
  )
}

/** Orders topics by first unread message, so as not to reveal their age. Sorting all IDs took 1.5 times as long. */
const UNREAD_BY_TOPIC = `
  with ${UNREAD_SPANS},
  listed as materialized (
    select candidate.*, array(
      select m.id from unnest(candidate.unread) as range cross join lateral ${messagesInSql({ topic: 'candidate' })} m) as ids
    from candidate where not isempty(candidate.unread)),
  oldest as materialized (
    select case when (select sum(cardinality(ids)) from listed) > $3
      then (select min(id) from (
        select m.id from listed cross join unnest(ids) as m(id) order by m.id desc limit $3) as newest)
      else 0 end as id),
  wanted as materialized (
    select listed.id, channel_id, name, member_ids, case when oldest.id = 0 then ids
      else array(select m.id from unnest(ids) as m(id) where m.id >= oldest.id) end as ids
    from listed cross join oldest),
  spelled as materialized (
    select id, topic_id, topic_spelling from messages
    where organization_id = $1 and topic_spelling is not null and topic_id in (select id from listed))
  select id as topic_id, channel_id, name, member_ids, ids, ids[1] as first_id
  from wanted where ids <> '{}' and id not in (select topic_id from spelled)
  union all
  select w.id, w.channel_id, coalesce(spelled.topic_spelling, w.name), null, array_agg(m.id order by m.id), min(m.id)
  from wanted w cross join unnest(w.ids) as m(id) left join spelled on spelled.id = m.id
  where w.id in (select topic_id from spelled)
  group by 1, 2, 3
  order by first_id`

export async function unreadByTopic(db: Db, organizationId: number, userId: number): Promise<UnreadTopic[]> {
  return db.rows<UnreadTopic>('unread_by_topic', UNREAD_BY_TOPIC, [organizationId, userId, MAX_UNREAD_LISTED])
}

/** Part of a statement that marks spans as read. `readers` is a relation of `user_id`, `topic_id`, and `span`. */
export const markReadSql = ({ readers }: { readonly readers: string }): string => `
  insert into topic_reads as x (organization_id, user_id, topic_id, read)
  select $organization, user_id, topic_id, range_agg(span) from ${readers} group by 2, 3 order by 2, 3
  on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`

/** Looks up the read state by user: with 10,000 subscribers, scanning the subscriptions took 14 times as long. */
export async function readersAmong(
  db: Db,
  organizationId: number,
  message: { readonly id: number; readonly topicId: number },
  userIds: readonly number[],
): Promise<readonly number[]> {
  const [row] = await db.rows<{ userIds: number[] | null }>(
    'readers_among',
    `select array_agg(distinct user_id order by user_id) as "userIds" from (
       select user_id from user_reads where organization_id = $1 and user_id = any($4::bigint[]) and read @> $2::bigint
       union all
       select user_id from topic_reads
       where organization_id = $1 and topic_id = $3 and user_id = any($4::bigint[]) and read @> $2::bigint) as reader`,
    [organizationId, message.id, message.topicId, userIds],
  )
  return row?.userIds ?? []
}

/**
 * Returns the users who have read a later message of the topic that was not withheld from them and that someone other
 * than the person and their bots sent. After a withheld message, messages of the person also count.
 */
export async function readersPast(
  db: Db,
  organizationId: number,
  message: { readonly id: number; readonly topicId: number; readonly withheldFrom: number | null },
  { userIds, accountIds }: { readonly userIds: readonly number[]; readonly accountIds: readonly number[] },
): Promise<readonly number[]> {
  const rows = await db.rows<{ id: number }>(
    'readers_past',
    `select reader.id from unnest($4::bigint[]) as reader(id) where exists (
       select from (
         select read from user_reads where organization_id = $1 and user_id = reader.id
         union all
         select read from topic_reads where organization_id = $1 and user_id = reader.id and topic_id = $3) own
       cross join lateral unnest(own.read * int8multirange(int8range($2::bigint + 1, null))) as span
       where exists (
         select from messages m where m.organization_id = $1 and m.topic_id = $3
         and m.id >= lower(span) and (upper_inf(span) or m.id < upper(span))
         and m.withheld_from is distinct from reader.id and ($6 or m.sender_id <> all($5::bigint[]))))`,
    [organizationId, message.id, message.topicId, userIds, accountIds, message.withheldFrom !== null],
  )
  return rows.map(({ id }) => id)
}

export async function readersOf(
  db: Db,
  organizationId: number,
  message: { readonly id: number; readonly topicId: number },
): Promise<readonly number[]> {
  const [row] = await db.rows<{ userIds: number[] | null }>(
    'readers_of',
    `select array_agg(distinct user_id order by user_id) as "userIds" from (
       select user_id from user_reads where organization_id = $1 and read @> $2::bigint
       union all
       select user_id from topic_reads where organization_id = $1 and topic_id = $3 and read @> $2::bigint) as reader`,
    [organizationId, message.id, message.topicId],
  )
  return row?.userIds ?? []
}

/** Positions from `start` (inclusive) to `end` (exclusive). */
export type Span = readonly [start: number, end: number]

/** Finds, by user, where messages of a topic can be unread. Returns spans, which are shorter than lists of messages. */
export async function unreadSpans(
  db: Db,
  organizationId: number,
  place: { readonly channelId: number; readonly topicId: number },
  [first, last]: readonly [first: number, last: number],
): Promise<Map<number, readonly Span[]>> {
  const rows = await db.rows<{ userIds: number[]; starts: number[]; ends: number[] }>(
    'unread_spans',
    `with reader as materialized (
       select s.user_id, int8multirange(int8range(lower(period), null)) * int8multirange(int8range($4, $5::bigint + 1))
                         - coalesce(u.read, '{}') - coalesce(r.read, '{}') as unread
       from subscriptions s cross join lateral unnest(s.periods) as period
       left join user_reads u on u.organization_id = $1 and u.user_id = s.user_id
       left join topic_reads r on r.organization_id = $1 and r.user_id = s.user_id and r.topic_id = $3
       where s.organization_id = $1 and s.channel_id = $2 and upper_inf(period)),
     alike as (
       select unread, array_agg(user_id) as "userIds" from reader where not isempty(unread) group by unread)
     select "userIds", array(select lower(range) from unnest(unread) as range) as starts,
            array(select upper(range) from unnest(unread) as range) as ends
     from alike`,
    [organizationId, place.channelId, place.topicId, first, last],
  )
  return new Map(
    rows.flatMap(({ userIds, starts, ends }) => {
      const spans = starts.map((start, index): Span => [start, ends[index] ?? start])
      return userIds.map((userId) => [userId, spans] as const)
    }),
  )
}

export async function unreadMessages(db: Db, viewer: Viewer): Promise<contract.UnreadMessages> {
  const { userId, organization, form } = viewer
  const topics = await unreadByTopic(db, organization.id, userId)
  const unread: contract.UnreadMessages = {
    count: 0,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  }
  for (const topic of topics) {
    const place =
      topic.channel_id === null
        ? { memberIds: topic.member_ids ?? [] }
        : { stream_id: topic.channel_id, topic: presentTopic(topic.name, form.capabilities.empty_topic_name) }
    contract.addUnreadList(unread, userId, place, [...topic.ids])
  }
  const userTopics = topics.some((topic) => topic.channel_id !== null) ? await userTopicsOf(db, viewer) : []
  const subscriptions = [...(organization.of(subscriptionsProjection).byUser.get(userId)?.values() ?? [])]
  const muted = subscriptions.filter(({ isMuted }) => isMuted).map(({ channelId }) => channelId)
  unread.count = countUnread(unread, new Set(muted), userTopics)
  unread.mentions = await unreadMentions(db, organization.id, userId, topics)
  unread.old_unreads_missing = topics.reduce((sum, { ids }) => sum + ids.length, 0) >= MAX_UNREAD_LISTED
  return unread
}

/** Finds mentions by name, group, or wildcard, even in muted topics. */
async function unreadMentions(
  db: Db,
  organizationId: number,
  userId: number,
  topics: readonly UnreadTopic[],
): Promise<number[]> {
  const unread = new Set(topics.flatMap((topic) => topic.ids))
  const oldest = topics.reduce((least, topic) => Math.min(least, topic.ids[0] ?? least), Infinity)
  if (oldest === Infinity) return []
  const rows = await db.rows<{ id: number }>('unread_mentions', MENTIONING_MESSAGES, [organizationId, userId, oldest])
  return rows.map(({ id }) => id).filter((id) => unread.has(id))
}

/** Parameters: organization, user, first ID. Does not check that the user received the messages. */
export const MENTIONING_MESSAGES = `
  select message_id as id from message_flags
  where organization_id = $1 and user_id = $2 and message_id >= $3 and (mentioned or topic_wildcard_mentioned)
  union select id from messages where organization_id = $1 and id >= $3 and mentions_channel
  order by id`
