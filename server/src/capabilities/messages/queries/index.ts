import type { Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Db, SharedActorTx } from '../../../kernel/transaction.ts'
import { isMeMessage, type TopicLink } from '../../../platform/markdown/render.ts'
import { channelById, wasSubscribed } from '../../channels/queries/index.ts'
import { mayRead } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { avatarFor, UNKNOWN_AVATAR, unknownSender, userById } from '../../users/queries/index.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import type { Member } from '../../groups/rules.ts'
import type { Message, Reaction, Submessage } from '../contract/index.ts'

export { mayRead } from '../../channels/rules/index.ts'

/** A message as it is stored, with what names its place. */
export interface StoredMessage {
  readonly id: number
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly topicId: number
  readonly topic: string
  /** Both null for channel messages. */
  readonly conversationId: number | null
  readonly memberIds: readonly number[] | null
  readonly senderId: number
  readonly content: string
  readonly renderedContent: string
  /** Whether the text mentions the whole channel or conversation. */
  readonly mentionsChannel: boolean
  readonly dateSent: number
  readonly client: string
}

/** The columns of a stored message, of messages `m`, topics `t` and conversations `c`. */
export const STORED_MESSAGE = `
  m.id, m.channel_id as "channelId", m.topic_id as "topicId", coalesce(m.topic_spelling, t.name) as topic,
  c.id as "conversationId", c.member_ids as "memberIds", m.sender_id as "senderId",
  m.content, m.rendered_content as "renderedContent", m.mentions_channel as "mentionsChannel", m.date_sent as "dateSent", m.client`

/** Messages with their places. Nothing is looked up among the conversations for a message of a channel. */
export const FROM_MESSAGES = `
  messages m
  join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
  left join conversations c on
    c.organization_id = m.organization_id and c.topic_id = case when m.channel_id is null then m.topic_id end`

const MESSAGES_BY_ID = `
  select ${STORED_MESSAGE} from ${FROM_MESSAGES} where m.organization_id = $1 and m.id = any($2::bigint[])`

/** Messages by id. The caller checks whether the reader may read them. */
export async function messagesById(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, StoredMessage>> {
  const rows = await db.rows<StoredMessage>('messages_by_id', MESSAGES_BY_ID, [organizationId, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

const MESSAGES_WITHIN = `
  with sized as materialized (
    select id, sum(octet_length(content) + octet_length(rendered_content))
      over (order by id rows between unbounded preceding and 1 preceding) as before
    from messages where organization_id = $1 and id = any($2::bigint[]))
  select ${STORED_MESSAGE}, (select min(id) from sized where before >= $3) as "firstLeft"
  from ${FROM_MESSAGES}
  where m.organization_id = $1 and m.id = any(array(select id from sized where before is null or before < $3))`

/**
 * Messages by id, in no particular order: the first ones, until their texts are so many bytes.
 * @returns them, and the id of the first that was left
 */
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

/** A message with the links in its topic's name. */
export type LinkedMessage = StoredMessage & { readonly topicLinks: readonly TopicLink[] }

/**
 * Adds the links that the organization's linkifiers now find in the topics. The messages must have been read for this
 * caller alone.
 */
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

/**
 * The accounts that may read the message and are told what happens to it: subscribers of its channel and, among those
 * to whom earlier messages are hidden, only those who were subscribed when it was sent.
 */
export function audienceOf(
  organization: OrganizationState,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'memberIds'>,
): Audience {
  if (message.channelId === null) return { users: message.memberIds ?? [] }
  const isShared = channelById(organization, message.channelId)?.historyPublic === true
  return { channel: message.channelId, ...(isShared ? {} : { alsoAt: message.id }) }
}

/** Whether the message was sent to the user; other users may be able to read it all the same. */
export function wasSentTo(
  organization: OrganizationState,
  userId: number,
  message: Pick<StoredMessage, 'id' | 'channelId' | 'memberIds'>,
): boolean {
  if (message.channelId === null) return message.memberIds?.includes(userId) ?? false
  return wasSubscribed(organization, userId, message.channelId, message.id)
}

/** The message of an id, for an actor who may read it. A hidden message is refused as if absent. */
export async function readableMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined || !mayRead(tx.organization, tx.actor, message)) {
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  }
  return message
}

/** The message of an id, for an actor who may read it, where it can still change. @throws Refusal BAD_REQUEST */
export async function openMessage(tx: SharedActorTx, messageId: number): Promise<StoredMessage> {
  const message = await readableMessage(tx, messageId)
  if (message.channelId !== null && channelById(tx.organization, message.channelId)?.isArchived === true) {
    throw new Refusal('BAD_REQUEST', 'The channel is archived.')
  }
  return message
}

/**
 * The accounts that are told what the actor adds to a message: also the actor, who may read it without being
 * subscribed.
 */
export function audienceWith(tx: SharedActorTx, message: StoredMessage): Audience {
  const audience = audienceOf(tx.organization, message)
  return message.channelId === null ? audience : { ...audience, users: [tx.actor.userId] }
}

export interface MessageForm {
  readonly applyMarkdown: boolean
  readonly clientExternalAvatar: boolean
  /** Whether the client knows the empty topic. */
  readonly emptyTopicName: boolean
  /** The reader; a sender that the reader may not know of has no name. */
  readonly reader: Member
}

/**
 * A message as the API shows it, with the fields that are the same for all its readers. The links in its topic are
 * left out, since they depend on the present linkifiers.
 * @param reactions the reactions that were added since it was sent; events show it as it was sent
 * @param submessages the submessages that were added since it was sent, and the widget it was sent with
 */
export function presentMessage(
  organization: OrganizationState,
  stored: StoredMessage,
  form: MessageForm,
  reactions: readonly Reaction[] = [],
  submessages: readonly Submessage[] = [],
): Omit<Message, 'topic_links'> {
  const sender = userById(organization, stored.senderId)
  if (sender === undefined) throw new Error(`message ${stored.id} has no sender`)
  const isKnown = canSeeUser(organization, form.reader, sender)
  const shown = isKnown ? { email: sender.email, full_name: sender.fullName } : unknownSender(organization, sender.id)
  const message: Omit<Message, 'topic_links'> = {
    id: stored.id,
    type: 'private',
    sender_id: sender.id,
    sender_email: shown.email,
    sender_full_name: shown.full_name,
    sender_realm_str: organizationOf(organization).stringId,
    avatar_url: isKnown
      ? avatarFor(sender, form.clientExternalAvatar)
      : form.clientExternalAvatar
        ? null
        : UNKNOWN_AVATAR,
    client: stored.client,
    content: form.applyMarkdown ? stored.renderedContent : stored.content,
    content_type: form.applyMarkdown ? 'text/html' : 'text/x-markdown',
    display_recipient: '',
    recipient_id: stored.conversationId ?? 0,
    subject: '',
    is_me_message: isMeMessage(stored.content, stored.renderedContent),
    timestamp: stored.dateSent,
    reactions: [...reactions],
    submessages: [...submessages],
  }
  if (stored.channelId === null) {
    message.display_recipient = peopleIn(organization, stored.memberIds ?? [])
    return message
  }
  // Field by field, as in `send`.
  message.type = 'stream'
  message.display_recipient = channelById(organization, stored.channelId)?.name ?? ''
  message.recipient_id = stored.channelId
  message.subject = presentTopic(stored.topic, form.emptyTopicName)
  message.stream_id = stored.channelId
  return message
}

function peopleIn(
  organization: OrganizationState,
  memberIds: readonly number[],
): Exclude<Message['display_recipient'], string> {
  return memberIds.map((userId) => {
    const user = userById(organization, userId)
    return { id: userId, email: user?.email ?? '', full_name: user?.fullName ?? '', is_mirror_dummy: false }
  })
}
