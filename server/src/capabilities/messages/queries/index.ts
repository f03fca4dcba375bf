import type { Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Db, SharedActorTx, Tx } from '../../../kernel/transaction.ts'
import { channelById, wasSubscribed } from '../../channels/queries/index.ts'
import { mayRead } from '../../channels/rules/index.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { storedMessagesSql, type LinkedMessage, type StoredMessage } from './stored.ts'

export { mayRead } from '../../channels/rules/index.ts'
export {
  presentMessage,
  storedMessagesSql,
  type LinkedMessage,
  type MessageForm,
  type StoredMessage,
} from './stored.ts'

const MESSAGES_BY_ID = `
  ${storedMessagesSql({ message: 'm' })}
  where m.organization_id = $1 and m.id = any($2::bigint[])`

/** Messages by ID, without access checks. */
export async function messagesById(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, StoredMessage>> {
  const rows = await db.rows<StoredMessage>('messages_by_id', MESSAGES_BY_ID, [organizationId, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

export async function announcedMessages<Event extends { readonly position: number }>(
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

const MESSAGES_WITHIN = `
  with sized as materialized (
    select id, sum(octet_length(content) + octet_length(rendered_content))
      over (order by id rows between unbounded preceding and 1 preceding) as before
    from messages where organization_id = $1 and id = any($2::bigint[]))
  ${storedMessagesSql({ message: 'm' }, ['(select min(id) from sized where before >= $3) as "firstLeft"'])}
  where m.organization_id = $1 and m.id = any(array(select id from sized where before is null or before < $3))`

/** Reads messages by ID, unordered, up to a total size. @returns the messages, and the first omitted ID */
export async function messagesWithin(
  db: Db,
  organizationId: number,
  ids: readonly number[],
  mostBytes: number,
): Promise<{ messages: StoredMessage[]; firstLeft: number | null }> {
  const messages = await db.rows<StoredMessage & { firstLeft: number | null }>('messages_within', MESSAGES_WITHIN, [
    organizationId,
    ids,
    mostBytes,
  ])
  return { messages, firstLeft: messages[0]?.firstLeft ?? null }
}

/** Adds topic links by the current linkifiers. Modifies the messages, so they must not be shared. */
export async function withTopicLinks<Stored extends StoredMessage>(
  organization: OrganizationState,
  messages: readonly Stored[],
): Promise<(Stored & LinkedMessage)[]> {
  const links = await linksInTopics(
    organization,
    messages.map((message) => message.topic),
  )
  return messages.map((message) => Object.assign(message, { topicLinks: links.get(message.topic) ?? [] }))
}

/** Limits the audience in protected history to users subscribed when the message was sent. */
export function audienceOf(
  organization: OrganizationState,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'memberIds'>,
): Audience {
  if (message.channelId === null) return { users: message.memberIds ?? [] }
  const isShared = channelById(organization, message.channelId)?.historyPublic === true
  return { channel: message.channelId, ...(isShared ? {} : { alsoAt: message.id }) }
}

/** Whether the message was sent to the user; others may still be able to read it. */
export function wasSentTo(
  organization: OrganizationState,
  userId: number,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'memberIds'>,
): boolean {
  if (message.channelId === null) return message.memberIds?.includes(userId) ?? false
  return wasSubscribed(organization, userId, message.channelId, message.id)
}

/** Refuses hidden messages as if they did not exist. */
export async function readableMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined || !mayRead(tx.organization, tx.actor, message)) {
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  }
  return message
}

/** @throws Refusal BAD_REQUEST if the message is hidden or its channel archived */
export async function openMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = await readableMessage(tx, messageId)
  if (message.channelId !== null && channelById(tx.organization, message.channelId)?.isArchived === true) {
    throw new Refusal('BAD_REQUEST', 'The channel is archived.')
  }
  return message
}

/** Adds the actor, who can read the message without being subscribed. */
export function audienceWith(tx: SharedActorTx, message: StoredMessage): Audience {
  const audience = audienceOf(tx.organization, message)
  return message.channelId === null ? audience : { ...audience, users: [tx.actor.userId] }
}
