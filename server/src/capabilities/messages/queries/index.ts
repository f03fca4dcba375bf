import type { Audience } from '../../../kernel/audience.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Invalidation, OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, SharedActorTx, Tx, Reader } from '../../../kernel/transaction.ts'
import { requireChannelInTokenScope } from '../../api-tokens/rules.ts'
import { channelById, wasSubscribed } from '../../channels/queries/index.ts'
import { mayReadMessage, readablePart } from '../../channels/rules/index.ts'
import { absentError } from '../../channels/rules/outside-viewers.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { withoutBlockers } from '../../muted-users/queries.ts'
import type * as contract from '../contract/conversations.ts'
import { MAX_TOPICS_LISTED } from '../contract/conversations.ts'
import { newestDirectMessageSql, storedMessagesSql, type LinkedMessage, type StoredMessage } from './stored.ts'
import type { Viewer } from '../../../kernel/viewer.ts'

export { mayReadMessage } from '../../channels/rules/index.ts'
export {
  directReadersSql,
  newestDirectMessageSql,
  notWithheldSql,
  presentContent,
  presentMessage,
  storedMessagesSql,
  type LinkedMessage,
  type MessageForm,
  type StoredMessage,
} from './stored.ts'

export type MessageChange = { readonly message: number } | { readonly topic: number }

/** Announced by every action that changes a sent message's text, location, or submessages, or deletes it. */
export const messageInvalidation: Invalidation<MessageChange> = { name: 'message-changes' }

const MESSAGES_BY_ID = `
  ${storedMessagesSql({ message: 'm' })}
  where m.organization_id = $1 and m.id = any($2::bigint[])`

/** Reads messages by ID, without access checks. */
export async function messagesById(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, StoredMessage>> {
  const rows = await db.rows<StoredMessage>('messages_by_id', MESSAGES_BY_ID, [organizationId, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

export async function pairEventsWithMessages<Event extends { readonly position: number }>(
  { db, organizationId }: Pick<Tx, 'db' | 'organizationId'>,
  events: readonly Event[],
): Promise<(readonly [Event, StoredMessage])[]> {
  const ids = events.map(({ position }) => position)
  const messages = await messagesById(db, organizationId, ids)
  return events.flatMap((event) => {
    const message = messages.get(event.position)
    return message === undefined ? [] : [[event, message] as const]
  })
}

const MESSAGES_WITHIN_SIZE = `
  with sized as materialized (
    select id, sum(octet_length(content) + octet_length(rendered_content))
      over (order by id rows between unbounded preceding and 1 preceding) as before
    from messages where organization_id = $1 and id = any($2::bigint[]))
  ${storedMessagesSql({ message: 'm' }, ['(select min(id) from sized where before >= $3) as "firstLeft"'])}
  where m.organization_id = $1 and m.id = any(array(select id from sized where before is null or before < $3))`

/** Returns messages up to a total size, in any order, and the first omitted ID. */
export async function messagesWithinSize(
  db: Db,
  organizationId: number,
  ids: readonly number[],
  mostBytes: number,
): Promise<{ messages: StoredMessage[]; firstLeft: number | null }> {
  const messages = await db.rows<StoredMessage & { firstLeft: number | null }>(
    'messages_within',
    MESSAGES_WITHIN_SIZE,
    [organizationId, ids, mostBytes],
  )
  return { messages, firstLeft: messages[0]?.firstLeft ?? null }
}

/** Modifies the messages, so they must not be shared. */
export async function addTopicLinks<Stored extends StoredMessage>(
  organization: OrganizationState,
  messages: readonly Stored[],
): Promise<(Stored & LinkedMessage)[]> {
  const links = await linksInTopics(
    organization,
    messages.map((message) => message.topic),
  )
  return messages.map((message) => Object.assign(message, { topicLinks: links.get(message.topic) ?? [] }))
}

/** In protected history, includes only users who were subscribed when the message was sent. */
export function audienceOf(
  organization: OrganizationState,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'readerIds'>,
): Audience {
  if (message.channelId === null) return { users: message.readerIds ?? [] }
  const isShared = channelById(organization, message.channelId)?.historyPublic === true
  return { channel: message.channelId, ...(isShared ? {} : { alsoAt: message.id }) }
}

export function isRecipient(
  organization: OrganizationState,
  userId: number,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'readerIds'>,
): boolean {
  if (message.channelId === null) return message.readerIds?.includes(userId) ?? false
  return wasSubscribed(organization, userId, message.channelId, message.id)
}

/** Hidden messages get the same error as missing messages. */
export async function readableMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined || !mayReadMessage(tx.organization, tx.actor, message)) {
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  }
  return message
}

/** @throws ApiError BAD_REQUEST if the message is hidden or its channel archived */
export async function requireWritableMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = await readableMessage(tx, messageId)
  if (message.channelId !== null && channelById(tx.organization, message.channelId)?.isArchived === true) {
    throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  }
  return message
}

/** The audience of what the actor does with a message: its readers, except those who block the actor. */
export function audienceIncludingActor(tx: SharedActorTx, message: StoredMessage): Audience {
  const audience = withoutBlockers(tx.organization, tx.actor.userId, audienceOf(tx.organization, message))
  return message.channelId === null ? audience : { ...audience, users: [tx.actor.userId] }
}

/** Parameters as in `TOPICS_WHILE_SUBSCRIBED`; ignores $2. Topics are spelled as in their newest message. */
const ALL_TOPICS = `
  select coalesce(newest.topic_spelling, t.name) as name, t.max_id from topics t
  left join messages newest on newest.organization_id = $1 and newest.topic_id = t.id and newest.id = t.max_id
    and newest.topic_spelling is not null
  where t.organization_id = $1 and $2::bigint is not null and t.channel_id = $3
  order by t.era desc, t.max_id desc limit $4`

/** Like `ALL_TOPICS`, with only topics whose newest message is at or after position $5. */
const PUBLISHED_TOPICS = ALL_TOPICS.replace(
  't.channel_id = $3',
  't.channel_id = $3 and t.era >= $5::bigint >> 10 and t.max_id >= $5',
)

const TOPICS_WHILE_SUBSCRIBED = `
  select (array_agg(coalesce(newest.topic_spelling, t.name) order by newest.id desc))[1] as name, max(newest.id) as max_id
  from subscriptions s cross join lateral unnest(s.periods) as period
  join topics t on t.organization_id = $1 and t.channel_id = $3
               and t.era >= lower(period) >> 10 and t.max_id >= lower(period) and (upper_inf(period) or t.first_id < upper(period))
  cross join lateral (
    select m.id, m.topic_spelling from messages m
    where m.organization_id = $1 and m.topic_id = t.id
    and m.id >= lower(period) and (upper_inf(period) or m.id < upper(period)) order by m.id desc limit 1) newest
  where s.organization_id = $1 and s.user_id = $2 and s.channel_id = $3
  group by t.id order by max_id desc limit $4`

export async function getStreamTopics(
  { organizationId, organization, actor, db }: Reader,
  input: Input<typeof contract.getStreamTopics>,
): Promise<Output<typeof contract.getStreamTopics>> {
  requireChannelInTokenScope(actor, input.stream_id)
  const channel = channelById(organization, input.stream_id)
  const part = channel === undefined ? 'none' : readablePart(organization, actor, channel)
  if (channel === undefined || part === 'none') throw absentError(actor, 'Invalid channel ID')
  const parameters = [organizationId, actor.userId, input.stream_id, MAX_TOPICS_LISTED]
  const rows = await readTopics(db, part, parameters, channel.webPublicFrom)
  return {
    topics: rows.map(({ name, max_id }) => ({ name: presentTopic(name, input.allow_empty_topic_name), max_id })),
  }
}

async function readTopics(
  db: Db,
  part: Exclude<ReturnType<typeof readablePart>, 'none'>,
  parameters: readonly unknown[],
  webPublicFrom: number | null,
): Promise<{ name: string; max_id: number }[]> {
  switch (part) {
    case 'all':
      return db.rows('all_topics', ALL_TOPICS, parameters)
    case 'subscribed':
      return db.rows('topics_while_subscribed', TOPICS_WHILE_SUBSCRIBED, parameters)
    case 'published':
      return db.rows('published_topics', PUBLISHED_TOPICS, [...parameters, webPublicFrom])
  }
}

/** ID of the newest message sent to a user ($2) of an organization ($1), directly or in channels; null if none. */
const NEWEST_RECEIVED_MESSAGE = `select greatest(
  (select max(m.id) from subscriptions s cross join lateral unnest(s.periods) as period
   cross join lateral (
     select id from messages m where m.organization_id = $1 and m.channel_id = s.channel_id
     and m.id >= lower(period) and (upper_inf(period) or m.id < upper(period)) order by id desc limit 1) m
   where s.organization_id = $1 and s.user_id = $2),
  (select max(${newestDirectMessageSql({ topic: 't' })}) from conversation_members cm
   join conversations c on c.organization_id = $1 and c.id = cm.conversation_id
   join topics t on t.organization_id = $1 and t.id = c.topic_id
   where cm.organization_id = $1 and cm.user_id = $2 and t.max_id > c.id)) as id`

export async function newestReceivedMessage(db: Db, organizationId: number, userId: number): Promise<number> {
  const [row] = await db.rows<{ id: number | null }>('newest_received_message', NEWEST_RECEIVED_MESSAGE, [
    organizationId,
    userId,
  ])
  return row?.id ?? -1
}

export async function newestMessageSnapshot(
  db: Db,
  { userId, organization }: Viewer,
): Promise<Record<string, unknown>> {
  return { max_message_id: await newestReceivedMessage(db, organization.id, userId) }
}

const MAX_RECENT_CONVERSATIONS = 1_000

const RECENT_CONVERSATIONS = `
  select c.member_ids, newest.id as max_id
  from conversation_members own
  join conversations c on c.organization_id = own.organization_id and c.id = own.conversation_id
  join topics t on t.organization_id = c.organization_id and t.id = c.topic_id
  cross join lateral (select ${newestDirectMessageSql({ topic: 't' })} as id) newest
  where own.organization_id = $1 and own.user_id = $2 and newest.id > c.id
  order by newest.id desc limit $3`

export async function recentConversationsSnapshot(
  db: Db,
  { userId, organization }: Viewer,
): Promise<Record<string, unknown>> {
  const rows = await db.rows<{ member_ids: number[]; max_id: number }>('recent_conversations', RECENT_CONVERSATIONS, [
    organization.id,
    userId,
    MAX_RECENT_CONVERSATIONS,
  ])
  return {
    recent_private_conversations: rows.map((row) => ({
      user_ids: row.member_ids.filter((memberId) => memberId !== userId),
      max_message_id: row.max_id,
    })),
  }
}
