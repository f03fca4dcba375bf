/* The statement that sends messages and the queries that read them are generated from these fields. */
import { isSpectator } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { isMeMessage } from '../../../platform/markdown/me-message.ts'
import type { TopicLink } from '../../../platform/markdown/renderer.ts'
import { channelById } from '../../channels/queries/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { Member } from '../../groups/rules.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import {
  avatarFor,
  hiddenAddress,
  UNKNOWN_USER_AVATAR_PATH,
  unknownSender,
  userById,
  type UserRow,
} from '../../users/queries/index.ts'
import {
  markdownWithPublicNames,
  publicAvatarPath,
  publicName,
  withPublicNames,
} from '../../users/queries/public-names.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import type { Message, Reaction, Submessage, Conversation, MessagesInConversation } from '../contract/index.ts'
import type { ContentFacts } from '../rules/recipients.ts'

interface StoredFields {
  readonly senderId: number
  readonly content: string
  readonly renderedContent: string
  /** Whether the text mentions the whole channel or conversation. */
  readonly mentionsChannel: boolean
  readonly client: string
  /** Member who cannot read this direct message, because they block the sender. */
  readonly withheldFrom: number | null
}

export interface StoredMessage extends StoredFields {
  readonly id: number
  readonly channelId: number | null
  readonly topicId: number
  readonly topic: string
  readonly conversationId: number | null
  readonly memberIds: readonly number[] | null
  /** Members who can read the message; null in channels. */
  readonly readerIds: readonly number[] | null
  readonly dateSent: number
}

export type LinkedMessage = StoredMessage & { readonly topicLinks: readonly TopicLink[] }

export interface NewMessage {
  readonly channelId: number | null
  readonly conversation: { readonly id: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly content: string
  readonly renderedContent: string
  readonly facts: ContentFacts
  readonly client: string
  readonly withheldFrom?: number
}

interface StoredField<Value> {
  readonly column: string
  readonly type: 'bigint' | 'text' | 'boolean'
  readonly valueOf: (message: NewMessage) => Value
}

export const STORED_FIELDS: { readonly [Name in keyof StoredFields]: StoredField<StoredFields[Name]> } = {
  senderId: { column: 'sender_id', type: 'bigint', valueOf: ({ senderId }) => senderId },
  content: { column: 'content', type: 'text', valueOf: ({ content }) => content },
  renderedContent: { column: 'rendered_content', type: 'text', valueOf: ({ renderedContent }) => renderedContent },
  mentionsChannel: { column: 'mentions_channel', type: 'boolean', valueOf: ({ facts }) => facts.mentionsChannel },
  client: { column: 'client', type: 'text', valueOf: ({ client }) => client },
  // Part of each send, so that neither the statement nor its time shows the sender that they are blocked.
  withheldFrom: { column: 'withheld_from', type: 'bigint', valueOf: ({ withheldFrom }) => withheldFrom ?? null },
}

/** IDs of the members who can read a direct message. `conversation` is the alias of its conversation. */
export const directReadersSql = (names: { readonly message: string; readonly conversation: string }): string =>
  `array_remove(${names.conversation}.member_ids, ${names.message}.withheld_from)`

/** Condition that a message in one of the reader's ($2) conversations is not withheld from them. */
export const notWithheldSql = ({ message: m }: { readonly message: string }): string =>
  `${m}.withheld_from is distinct from $2`

/**
 * Newest messages that the reader ($2) can read in a direct conversation, in any order: at most `limit` of each kind.
 * `topic` is an expression for the ID of its topic. Indexes skip any number of messages withheld from the reader.
 */
export const newestDirectMessagesSql = ({
  topic,
  limit,
}: {
  readonly topic: string
  readonly limit: number
}): string => {
  const newest = (kind: string): string => `
    select m.id, m.sender_id from messages m
    where m.organization_id = $1 and m.topic_id = ${topic} and m.channel_id is null and m.withheld_from ${kind}
    order by m.id desc limit ${limit}`
  // A conversation withholds messages from at most two members: each from the other, if only bots are with them.
  const blocker = (which: 'min' | 'max'): string => `
    select ${which}(w.withheld_from) as id from messages w
    where w.organization_id = $1 and w.topic_id = ${topic} and w.withheld_from is not null`
  return `
  (${newest('is null')})
  union all
  (select m.id, m.sender_id from (${blocker('min')} union ${blocker('max')}) blocker
   cross join lateral (${newest('= blocker.id')}) m where blocker.id <> $2)`
}

/**
 * Newest message that the reader ($2) can read in a direct conversation. `topic` is the alias of its topic. Null if the
 * conversation has only withheld messages.
 */
// PostgreSQL would answer `exists` for all topics at once, reading every message withheld from the reader.
export const newestDirectMessageSql = ({ topic: t }: { readonly topic: string }): string => `
  case when (
    select max(w.id) from messages w
    where w.organization_id = $1 and w.topic_id = ${t}.id and w.withheld_from = $2) is not null
  then (select max(m.id) from (${newestDirectMessagesSql({ topic: `${t}.id`, limit: 1 })}) m)
  else ${t}.max_id end`

/** Builds a query up to its `where`. `message` is the alias of the messages; `also` are additional columns. */
export function storedMessagesSql({ message: m }: { readonly message: string }, also: readonly string[] = []): string {
  const columns = [
    `${m}.id, ${m}.channel_id as "channelId", ${m}.topic_id as "topicId"`,
    `coalesce(${m}.topic_spelling, t.name) as topic, c.id as "conversationId", c.member_ids as "memberIds"`,
    `${directReadersSql({ message: m, conversation: 'c' })} as "readerIds"`,
    `${m}.date_sent as "dateSent"`,
    ...Object.entries(STORED_FIELDS).map(([name, { column }]) => `${m}.${column} as "${name}"`),
    ...also,
  ]
  return `select ${columns.join(', ')}
  from messages ${m}
  join topics t on t.organization_id = ${m}.organization_id and t.id = ${m}.topic_id
  left join conversations c on
    c.organization_id = ${m}.organization_id and c.topic_id = case when ${m}.channel_id is null then ${m}.topic_id end`
}

/** Returns the message as a later read would, so that its event needs no read. */
// Lists the fields, because V8 takes 18 us to spread two objects.
export function toStoredMessage(
  message: NewMessage,
  place: { readonly id: number; readonly topicId: number; readonly topic: string },
  dateSent: number,
  topicLinks: LinkedMessage['topicLinks'],
): LinkedMessage {
  return {
    topicLinks,
    id: place.id,
    channelId: message.channelId,
    topicId: place.topicId,
    topic: place.topic,
    conversationId: message.conversation?.id ?? null,
    memberIds: message.conversation?.memberIds ?? null,
    readerIds: message.conversation?.memberIds.filter((userId) => userId !== message.withheldFrom) ?? null,
    senderId: message.senderId,
    content: message.content,
    renderedContent: message.renderedContent,
    mentionsChannel: message.facts.mentionsChannel,
    dateSent,
    client: message.client,
    withheldFrom: message.withheldFrom ?? null,
  }
}

export interface MessageForm {
  readonly applyMarkdown: boolean
  readonly clientExternalAvatar: boolean
  readonly emptyTopicName: boolean
  /** Account that gets the message. Senders hidden from this account are shown without names. */
  readonly reader: Member
}

/** Omits topic links. `submessages` include the widget that the message was sent with. */
export function presentMessage(
  organization: OrganizationState,
  stored: StoredMessage,
  form: MessageForm,
  reactions: readonly Reaction[] = [],
  submessages: readonly Submessage[] = [],
): Omit<Message, 'topic_links'> {
  const sender = userById(organization, stored.senderId)
  if (sender === undefined) throw new Error(`message ${stored.id} has no sender`)
  const shown = presentSender(organization, form, sender)
  const message: Omit<Message, 'topic_links'> = {
    id: stored.id,
    type: 'private',
    sender_id: sender.id,
    sender_email: shown.email,
    sender_full_name: shown.full_name,
    sender_realm_str: organizationOf(organization).stringId,
    avatar_url: shown.avatar_url,
    client: isSpectator(form.reader) ? '' : stored.client,
    content: presentContent(organization, stored, form),
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
    message.display_recipient = displayRecipientsOf(organization, stored.memberIds ?? [])
    return message
  }
  // Assigns fields one by one, because V8 is slow at spreading objects.
  message.type = 'stream'
  message.display_recipient = channelById(organization, stored.channelId)?.name ?? ''
  message.recipient_id = stored.channelId
  message.subject = presentTopic(stored.topic, form.emptyTopicName)
  message.stream_id = stored.channelId
  return message
}

export function presentContent(
  organization: OrganizationState,
  { content, renderedContent }: Pick<StoredMessage, 'content' | 'renderedContent'>,
  { applyMarkdown, reader }: Pick<MessageForm, 'applyMarkdown' | 'reader'>,
): string {
  if (!isSpectator(reader)) return applyMarkdown ? renderedContent : content
  return applyMarkdown
    ? withPublicNames(organization, renderedContent)
    : markdownWithPublicNames(organization, content, renderedContent)
}

interface ShownSender {
  readonly email: string
  readonly full_name: string
  readonly avatar_url: string | null
}

function presentSender(
  organization: OrganizationState,
  { reader, clientExternalAvatar }: MessageForm,
  sender: UserRow,
): ShownSender {
  const avatar_url = avatarFor(sender, clientExternalAvatar)
  // Spectators never get the API email, which can be the real one.
  if (isSpectator(reader))
    return {
      email: hiddenAddress(organization, sender.id),
      full_name: publicName(organization, sender),
      avatar_url: publicAvatarPath(organization, sender),
    }
  if (canSeeUser(organization, reader, sender)) return { email: sender.email, full_name: sender.fullName, avatar_url }
  return {
    ...unknownSender(organization, sender.id),
    avatar_url: clientExternalAvatar ? null : UNKNOWN_USER_AVATAR_PATH,
  }
}

function displayRecipientsOf(
  organization: OrganizationState,
  memberIds: readonly number[],
): Exclude<Message['display_recipient'], string> {
  return memberIds.map((userId) => {
    const user = userById(organization, userId)
    return { id: userId, email: user?.email ?? '', full_name: user?.fullName ?? '', is_mirror_dummy: false }
  })
}

export function conversationOf({
  channelId,
  topic,
  memberIds,
}: Pick<StoredMessage, 'channelId' | 'topic' | 'memberIds'>): Conversation {
  return channelId === null ? { user_ids: [...(memberIds ?? [])] } : { stream_id: channelId, topic }
}

export function groupByConversation(messages: readonly StoredMessage[]): MessagesInConversation[] {
  const byTopic = new Map<number, MessagesInConversation>()
  for (const message of messages) {
    const known = byTopic.get(message.topicId)
    if (known === undefined) byTopic.set(message.topicId, { ...conversationOf(message), message_ids: [message.id] })
    else known.message_ids.push(message.id)
  }
  return [...byTopic.values()]
}

export function presentConversation<Place extends Conversation>(place: Place, emptyTopicName: boolean): Place {
  return 'topic' in place ? { ...place, topic: presentTopic(place.topic, emptyTopicName) } : place
}
