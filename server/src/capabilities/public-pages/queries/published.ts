import { SPECTATOR } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { PageCall } from '../../../platform/pages/page-route.ts'
import type { Channel } from '../../channels/queries/index.ts'
import { normalizeExistingTopic, presentTopic } from '../../channels/rules/topics.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { storedMessagesSql } from '../../messages/queries/stored.ts'

export const MESSAGES_PER_PAGE = 50

/** Channel whose messages since `from` are public. */
export type PublishedChannel = Channel & { readonly webPublicFrom: number }

export interface PublishedTopic {
  readonly id: number
  /** Shown name, which is never empty. */
  readonly name: string
  readonly count: number
  readonly firstId: number
}

const PUBLISHED_TOPIC = `
  select t.id, t.name, counted.count, counted."firstId"
  from topics t
  cross join lateral (
    select count(*)::int as count, min(m.id) as "firstId" from messages m
    where m.organization_id = $1 and m.topic_id = t.id and m.id >= $4) counted
  where t.organization_id = $1 and t.channel_id = $2 and t.name_key = $3 and counted.count > 0`

/** Returns undefined if no topic can have the requested name. */
function topicParameters(
  { organization, parameters }: PageCall,
  { id, webPublicFrom }: PublishedChannel,
): unknown[] | undefined {
  const key = caseKey(normalizeExistingTopic(parameters['topic'] ?? ''))
  return key.includes('\0') || !key.isWellFormed() ? undefined : [organization.id, id, key, webPublicFrom]
}

export async function requestedTopic(call: PageCall, channel: PublishedChannel): Promise<PublishedTopic | undefined> {
  const parameters = topicParameters(call, channel)
  const [found] = parameters ? await call.db.rows<PublishedTopic>('published_topic', PUBLISHED_TOPIC, parameters) : []
  return found && withShownName(found)
}

function withShownName(topic: PublishedTopic): PublishedTopic {
  return { ...topic, name: presentTopic(topic.name, false) }
}

const COUNT_TOPICS = `
  select count(*)::int as count from topics t
  where t.organization_id = $1 and t.channel_id = $2 and t.era >= $3::bigint >> 10 and t.max_id >= $3::bigint`

export async function countTopics({ organization, db }: PageCall, channel: PublishedChannel): Promise<number> {
  const parameters = [organization.id, channel.id, channel.webPublicFrom]
  const [row] = await db.rows<{ count: number }>('count_published_topics', COUNT_TOPICS, parameters)
  return row?.count ?? 0
}

const topicsSql = (order: string): string => `
  select t.name, newest.date_sent as "newestAt"
  from topics t join messages newest on newest.organization_id = $1 and newest.id = t.max_id
  where t.organization_id = $1 and t.channel_id = $2 and t.era >= $3::bigint >> 10 and t.max_id >= $3::bigint
  order by ${order} offset $4 limit $5`

const TOPICS_SQL = {
  'newest first': topicsSql('t.era desc, t.max_id desc'),
  // By the first public message: the ages of topics would show which had messages before the channel became web-public.
  'oldest first': topicsSql(`(
    select min(m.id) from messages m where m.organization_id = $1 and m.topic_id = t.id and m.id >= $3)`),
}

export async function topicsOf(
  { organization, db }: PageCall,
  channel: PublishedChannel,
  order: keyof typeof TOPICS_SQL,
  offset: number,
  limit: number,
): Promise<{ name: string; newestAt: number }[]> {
  const parameters = [organization.id, channel.id, channel.webPublicFrom, offset, limit]
  const rows = await db.rows<{ name: string; newestAt: number }>(
    `published_topics_${order.replace(' ', '_')}`,
    TOPICS_SQL[order],
    parameters,
  )
  return rows.map(({ name, newestAt }) => ({ name: presentTopic(name, false), newestAt }))
}

/** In one statement, because spectators' statements run one after another. */
const TOPIC_PAGE = `
  with published as materialized (${PUBLISHED_TOPIC})
  ${storedMessagesSql({ message: 'm' }, ['(select to_json(published) from published) as published'])}
  where m.organization_id = $1 and m.id = any(array(
    select "firstId" from published
    union
    select part.id from published cross join lateral (
      select m.id from messages m where m.organization_id = $1 and m.topic_id = published.id and m.id >= $4
      order by m.id offset $5 limit $6) part))`

/** Returns the requested topic with its first message and those of the page, oldest first. */
export async function readTopicPage(
  call: PageCall,
  channel: PublishedChannel,
): Promise<{ topic: PublishedTopic; stored: StoredMessage[] } | undefined> {
  const parameters = topicParameters(call, channel)
  if (parameters === undefined) return undefined
  const rows = await call.db.rows<StoredMessage & { published: PublishedTopic }>('published_topic_page', TOPIC_PAGE, [
    ...parameters,
    (call.page - 1) * MESSAGES_PER_PAGE,
    MESSAGES_PER_PAGE,
  ])
  const topic = rows[0]?.published
  return topic && { topic: withShownName(topic), stored: readableOf(call, rows) }
}

export const NEWEST_IN_CHANNEL = `
  select m.id from messages m where m.organization_id = $1 and m.channel_id = $2 and m.id >= $3
  order by m.id desc limit $4`

export const NEWEST_IN_TOPIC = NEWEST_IN_CHANNEL.replace('m.channel_id', 'm.topic_id')

const COUNT_BEFORE = `
  select count(*)::int as count from messages m
  where m.organization_id = $1 and m.topic_id = $2 and m.id >= $3 and m.id < $4`

export async function countBefore(
  { organization, db }: PageCall,
  { webPublicFrom }: Channel,
  { topicId, id }: StoredMessage,
): Promise<number> {
  const parameters = [organization.id, topicId, webPublicFrom, id]
  const [row] = await db.rows<{ count: number }>('count_published_before', COUNT_BEFORE, parameters)
  return row?.count ?? 0
}

/** Returns the messages that spectators can read, oldest first. */
export async function readStored(call: PageCall, ids: readonly number[]): Promise<StoredMessage[]> {
  return readableOf(call, [...(await messagesById(call.db, call.organization.id, ids)).values()])
}

function readableOf({ organization }: PageCall, stored: readonly StoredMessage[]): StoredMessage[] {
  return stored
    .filter((message) => mayReadMessage(organization, SPECTATOR, message))
    .toSorted((one, other) => one.id - other.id)
}
