import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { RESOLVED_PREFIX } from '../../channels/contract/records.ts'
import { channelById, isCurrentSubscription, subscriptionsProjection } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { UNREAD_SPANS } from '../../flags/queries/unread.ts'
import { newestDirectMessageSql } from '../../messages/queries/stored.ts'
import { mutedUsersOf } from '../../muted-users/queries.ts'
import { VISIBILITY } from '../../user-topics/contract.ts'

/* Without filters, a query reads only each channel's newest topics, up to a page; filters make it read all matches. */

export interface ConversationQuery {
  readonly limit: number
  readonly before: number
  readonly unread: boolean
  readonly participated: boolean
  readonly unresolved: boolean
  readonly followed: boolean
  readonly muted: boolean
  readonly direct: boolean
}

type BindParameter = (value: unknown) => string

interface TopicSource {
  /** Relation with the columns of `topics`; `listed` also has `spans`. */
  readonly topics: 'topics' | 'listed'
  readonly before: string
  readonly limit: string
  readonly conditions: readonly string[]
  readonly also: string
}

const PAGE_COLUMNS = 'id, channel_id, member_ids, newest_id, periods'

/** The last relation, `chosen`, has a page and the next conversation, if any. $1: organization; $2: reader. */
export function conversationPageSql(
  reader: Reader,
  access: ReadableChannels,
  wanted: ConversationQuery,
  bind: BindParameter,
): string {
  const list = matchingTopicsSql(wanted)
  const limit = `${bind(wanted.limit + 1)}::int`
  const source: TopicSource = {
    topics: list === undefined ? 'topics' : 'listed',
    before: `${bind(wanted.before)}::bigint`,
    limit,
    conditions: topicConditions(access, wanted, bind),
    also: wanted.unread ? ', t.spans' : '',
  }
  const sources = [topicsSql(source)]
  if (access.guarded.length > 0) sources.push(earlierTopicsSql(source))
  if (wanted.direct && !wanted.followed) sources.push(directMessagesSql(reader, source, wanted, bind))
  const found = `select * from (${sources.join('\n  union all\n  ')}) as found order by newest_id desc`
  const page = wanted.unread
    ? unreadOnlySql(found, limit)
    : `select ${PAGE_COLUMNS} from (${found} limit ${limit}) as found`
  return [...readableChannelTopicsSql(access, bind), ...(list ?? []), `chosen as materialized (${page})`].join(',\n')
}

function readableChannelTopicsSql({ open, guarded }: ReadableChannels, bind: BindParameter): string[] {
  return [
    `channel as materialized (
  select channel_id, null::int8multirange as periods, null::bigint as present
  from unnest(${bind(open)}::bigint[]) as open (channel_id)
  union all
  select channel_id, periods, (select lower(period) from unnest(periods) as period where upper_inf(period))
  from subscriptions where organization_id = $1 and user_id = $2 and channel_id = any(${bind(guarded)}::bigint[]))`,
  ]
}

/** The last relation, `listed`, has matching topics, `spans` of possibly unread IDs, and the reader's `own_ids`. */
function matchingTopicsSql(wanted: ConversationQuery): string[] | undefined {
  const names = (['unread', 'participated', 'followed'] as const).filter((name) => wanted[name])
  if (names.length === 0) return undefined
  const [first, ...others] = names.map((name) => `(${TOPIC_LIST_SQL_BY_FILTER[name]}) as ${name}`)
  const joined = [first, ...others.map((other) => `join ${other} using (topic_id)`)].join(' ')
  return [
    ...(wanted.unread ? [UNREAD_SPANS] : []),
    `wanted as materialized (select * from ${joined})`,
    // `offset 0` makes PostgreSQL look up topics one by one, because only a few topics match.
    `listed as materialized (select t.*, wanted.* from wanted cross join lateral (
  select * from topics where organization_id = $1 and id = topic_id offset 0) t)`,
  ]
}

const TOPIC_LIST_SQL_BY_FILTER = {
  unread: 'select id as topic_id, unread as spans from candidate where not isempty(unread)',
  participated: `select topic_id, array_agg(id) as own_ids from messages
    where organization_id = $1 and sender_id = $2 group by topic_id`,
  followed: `select t.id as topic_id from user_topics u
    join topics t on t.organization_id = $1 and t.channel_id = u.channel_id and t.name_key = u.name_key
    where u.organization_id = $1 and u.user_id = $2 and u.visibility_policy = ${VISIBILITY.followed}`,
} as const

/** Selects topics whose newest message the reader can read. */
function topicsSql({ topics, before, limit, conditions, also }: TopicSource): string {
  const columns = `t.id, t.channel_id, null::bigint[] as member_ids, t.max_id as newest_id, c.periods${also}`
  const where = [`t.max_id < ${before}`, 'coalesce(c.periods @> t.max_id, true)', ...conditions].join(' and ')
  if (topics === 'listed') return `select ${columns} from channel c join listed t using (channel_id) where ${where}`
  // The era, the first index column, keeps the number of topics read close to the limit.
  return `select t.* from channel c cross join lateral (
    select ${columns} from topics t where t.organization_id = $1 and t.channel_id = c.channel_id
    and t.era <= ${before} >> 10 and t.era >= coalesce(lower(c.periods), 0) >> 10 and ${where}
    order by t.era desc, t.max_id desc limit ${limit}) t`
}

/** Selects topics in protected history that have no messages since the reader's current subscription began. */
function earlierTopicsSql({ topics, before, conditions, also }: TopicSource): string {
  const where = [
    't.organization_id = $1',
    't.era between lower(c.periods) >> 10 and c.present >> 10',
    't.max_id >= lower(c.periods)',
    't.max_id < c.present',
    'not c.periods @> t.max_id',
    `newest.id < ${before}`,
    ...conditions,
  ]
  return `select t.id, t.channel_id, null, newest.id, c.periods${also}
    from channel c join ${topics} t on t.channel_id = c.channel_id
    cross join lateral (
      select max(m.id) as id from unnest(c.periods) as period cross join lateral (
        select id from messages m where m.organization_id = $1 and m.topic_id = t.id
        and m.id >= lower(period) and (upper_inf(period) or m.id < upper(period)) order by m.id desc limit 1) m) newest
    where ${where.join(' and ')}`
}

/** Omits empty conversations, whose newest message ID is the conversation's own ID. */
function directMessagesSql(
  reader: Reader,
  { topics, before, also }: TopicSource,
  { muted }: ConversationQuery,
  bind: BindParameter,
): string {
  const mutedUsers = muted ? [] : mutedUsersOf(reader.organization, reader.actor.userId).map(({ id }) => id)
  // A conversation with oneself has no other users who could be muted.
  const notMutedSql = (): string =>
    `(cardinality(d.member_ids) = 1 or not d.member_ids <@ ${bind([...mutedUsers, reader.actor.userId])}::bigint[])`
  return `select t.id, null, d.member_ids, newest.id, null${also}
    from conversation_members own
    join conversations d on d.organization_id = $1 and d.id = own.conversation_id
    join ${topics} t on t.organization_id = $1 and t.id = d.topic_id
    cross join lateral (select ${newestDirectMessageSql({ topic: 't' })} as id) newest
    where own.organization_id = $1 and own.user_id = $2 and newest.id > d.id and newest.id < ${before}
    ${mutedUsers.length === 0 ? '' : `and ${notMutedSql()}`}`
}

function topicConditions(access: ReadableChannels, wanted: ConversationQuery, bind: BindParameter): string[] {
  return [
    ...(wanted.muted ? [] : [unmutedSql(access, bind)]),
    ...(wanted.unresolved ? [`not starts_with(t.name, ${bind(RESOLVED_PREFIX)}::text)`] : []),
    ...(wanted.participated
      ? ['(c.periods is null or exists (select from unnest(t.own_ids) as own (id) where c.periods @> own.id))']
      : []),
  ]
}

/** Reads the reader's topic policies once, because they are few compared to all topics. */
function unmutedSql({ muted }: ReadableChannels, bind: BindParameter): string {
  const isChosen = (policies: readonly number[]): string => `(t.channel_id, t.name_key) in (
      select u.channel_id, u.name_key from user_topics u
      where u.organization_id = $1 and u.user_id = $2 and u.visibility_policy in (${policies.join(', ')}))`
  const isUnmuted = `(${isChosen([VISIBILITY.muted])}) is not true`
  if (muted.length === 0) return isUnmuted
  const isUnmutedTopic = isChosen([VISIBILITY.unmuted, VISIBILITY.followed])
  return `case when t.channel_id = any(${bind(muted)}::bigint[]) then (${isUnmutedTopic}) is true else ${isUnmuted} end`
}

/** Checks conversations in order until enough have unread messages, because spans may contain no unread messages. */
function unreadOnlySql(found: string, limit: string): string {
  return `select ${PAGE_COLUMNS} from (${found} offset 0) as found
  where exists (
    select from unnest(found.spans) as range cross join lateral (
      select from messages m where m.organization_id = $1 and m.topic_id = found.id
      and m.id >= lower(range) and m.id < upper(range) limit 1) m)
  order by newest_id desc limit ${limit}`
}

export interface ReadableChannels {
  readonly open: readonly number[]
  /** Channels with protected history, where the reader can read only messages sent while subscribed. */
  readonly guarded: readonly number[]
  readonly muted: readonly number[]
}

export function accessToSubscribedChannels({ organization, actor }: Reader): ReadableChannels {
  const mine = organization.of(subscriptionsProjection).byUser.get(actor.userId)
  const subscribed = [...(mine?.values() ?? [])].filter(isCurrentSubscription).map(({ channelId, isMuted }) => {
    const channel = channelById(organization, channelId)
    return { id: channelId, isMuted, part: channel === undefined ? 'none' : readablePart(organization, actor, channel) }
  })
  return {
    open: subscribed.filter(({ part }) => part === 'all').map(({ id }) => id),
    guarded: subscribed.filter(({ part }) => part === 'subscribed').map(({ id }) => id),
    muted: subscribed.filter(({ isMuted }) => isMuted).map(({ id }) => id),
  }
}

/** @throws ApiError BAD_REQUEST if the channel does not exist or the reader can read no part of it */
export function accessToChannel({ organization, actor }: Reader, channelId: number): ReadableChannels {
  const channel = channelById(organization, channelId)
  const part = channel === undefined ? 'none' : readablePart(organization, actor, channel)
  if (part === 'none') throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  return { open: part === 'all' ? [channelId] : [], guarded: part === 'all' ? [] : [channelId], muted: [] }
}
