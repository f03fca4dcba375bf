import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { channelById } from '../../channels/queries/index.ts'
import { MARK_SENT_READ } from '../../flags/queries/unread.ts'
import { CLAIM_UPLOADS } from '../../uploads/queries.ts'
import type { Recipients } from '../rules/recipients.ts'
import type { PreparedContent } from './prepare.ts'
import type { MessagePayload } from '../queries/sent.ts'

/** The kinds of messages that a statement writes, which decide what it has to do. */
export interface MessageKinds {
  /** Some start as read for a user. */
  readonly read: boolean
  /** Some are direct. */
  readonly direct: boolean
  /** Some link uploads. */
  readonly linking: boolean
  /** Some are in protected history, where they keep the spelling of their topic that they came with. */
  readonly spelled: boolean
}

/**
 * Part of the statements that write messages: puts the rows of `m` into their topics and into `messages`, and notes
 * which users have read them, are mentioned or alerted, and which uploads they link. The parameters are
 * `insertValues`; `m` has the message's place `n` in that list, its `id`, `channel_id` or `conversation_topic_id`,
 * `topic` and its key, `sender_id`, `content`, `rendered_content`, `mentions_channel`, `client` and `search`. The
 * written rows are in `p`.
 *
 * Each part costs the database some 30 us, whether there is anything for it or not: parts that no message needs are
 * left out.
 */
export function insertMessages(kinds: MessageKinds): string {
  const { read, direct, linking, spelled } = kinds
  return [TOPICS, ...(direct ? [CONVERSATIONS] : []), placed(kinds), messageRows(spelled), ...(read ? [READERS] : [])]
    .concat(linking ? [CLAIM_UPLOADS] : [])
    .join(',')
}

const TOPICS = `
touched as materialized (
  select channel_id, topic_key, (array_agg(topic order by id))[1] as topic, min(id) as first_id, max(id) as max_id
  from m where channel_id is not null group by channel_id, topic_key),
known_topic as (
  update topics t set max_id = touched.max_id, previous_id = t.max_id
  from touched
  where t.organization_id = $organization and t.channel_id = touched.channel_id and t.name_key = touched.topic_key
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
other_topic as (
  insert into topics as t (organization_id, channel_id, name, name_key, first_id, max_id)
  select $organization, channel_id, topic, topic_key, first_id, max_id from touched
  where not exists (
    select from known_topic known where known.channel_id = touched.channel_id and known.name_key = touched.topic_key)
  on conflict (organization_id, channel_id, name_key)
  do update set max_id = excluded.max_id, previous_id = t.max_id
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
channel_topic as (select * from known_topic union all select * from other_topic)`

const CONVERSATIONS = `
conversation_topic as (
  update topics t set max_id = newest.id, previous_id = t.max_id
  from (select conversation_topic_id as topic_id, max(id) as id from m where channel_id is null group by 1) newest
  where t.organization_id = $organization and t.id = newest.topic_id
  returning t.id, t.previous_id)`

function placed({ read, direct, spelled }: MessageKinds): string {
  const name = spelled ? 'case when m.channel_id = any($spelled::bigint[]) then m.topic else t.name end' : 't.name'
  const spelling = spelled ? `, nullif(${name}, t.name) as topic_spelling` : ''
  const inChannels = `
  select m.*, t.id as topic_id, ${name} as topic_name, t.first_id, t.previous_id${spelling}
  from m join channel_topic t on t.channel_id = m.channel_id and t.name_key = m.topic_key`
  const inConversations = `
  select m.*, t.id, '', 0, t.previous_id${spelled ? ', null' : ''}
  from m join conversation_topic t on t.id = m.conversation_topic_id`
  const all = direct ? `${inChannels} union all ${inConversations}` : inChannels
  if (!read) return `\np as materialized (${all})`
  return `
placed as (${all}),
p as materialized (
  select placed.*, int8range(lag(id, 1, previous_id) over (partition by topic_id order by id) + 1, id + 1) as span
  from placed)`
}

const messageRows = (spelled: boolean): string => `
message as (
  insert into messages (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content,
                        mentions_channel, date_sent, client, search${spelled ? ', topic_spelling' : ''})
  select $organization, id, channel_id, topic_id, sender_id, content, rendered_content, mentions_channel, $now, client,
         search${spelled ? ', topic_spelling' : ''}
  from p),
flag as (
  insert into message_flags (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
  select $organization, flag.user_id, p.id, flag.mentioned, flag.topic_mentioned, flag.alerted
  from p join unnest($flag_messages::bigint[], $flag_users::bigint[], $mentioned::boolean[],
                     $topic_mentioned::boolean[], $alerted::boolean[])
    as flag(n, user_id, mentioned, topic_mentioned, alerted) on flag.n = p.n)`

const READERS = `
reader as (
  select p.topic_id, p.span, reader.user_id
  from p join unnest($reader_messages::bigint[], $readers::bigint[]) as reader(n, user_id) on reader.n = p.n),
read as (${MARK_SENT_READ})`

/** A message as `placeMessages` puts it into its place. */
export interface MessageInsert {
  readonly message: PreparedContent & {
    readonly channelId: number | null
    readonly topic: string
    readonly conversation: { readonly topicId: number } | null
    readonly senderId: number
    readonly client: string
  }
  readonly reach: Recipients
}

/** What of `MessageKinds` there is in messages. */
export function kindsIn(organization: OrganizationState, messages: readonly MessageInsert[]): MessageKinds {
  return {
    read: messages.some(({ reach }) => reach.readBy.length > 0),
    direct: messages.some(({ message }) => message.channelId === null),
    linking: messages.some(({ message }) => message.uploadIds.length > 0),
    spelled: protectedChannels(organization, messages).length > 0,
  }
}

/** What `placeMessages` is told of messages, in their order. */
export function insertValues(
  organization: OrganizationState,
  now: number,
  messages: readonly MessageInsert[],
): Record<string, unknown> {
  const readers = messages.flatMap(({ reach }, index) => reach.readBy.map((userId) => ({ n: index + 1, userId })))
  const flags = messages.flatMap(({ reach }, index) => flagsIn(reach).map((flag) => ({ n: index + 1, ...flag })))
  const uploads = messages.flatMap(({ message }, index) => message.uploadIds.map((id) => ({ n: index + 1, id })))
  return {
    organization: organization.id,
    now,
    spelled: protectedChannels(organization, messages),
    channels: messages.map(({ message }) => message.channelId),
    conversation_topics: messages.map(({ message }) => message.conversation?.topicId ?? null),
    topics: messages.map(({ message }) => message.topic),
    topic_keys: messages.map(({ message }) => caseKey(message.topic)),
    senders: messages.map(({ message }) => message.senderId),
    contents: messages.map(({ message }) => message.content),
    rendered_contents: messages.map(({ message }) => message.renderedContent),
    mention_channel: messages.map(({ message }) => message.facts.mentionsChannel),
    clients: messages.map(({ message }) => message.client),
    reader_messages: readers.map((reader) => reader.n),
    readers: readers.map((reader) => reader.userId),
    flag_messages: flags.map((flag) => flag.n),
    flag_users: flags.map((flag) => flag.userId),
    mentioned: flags.map((flag) => flag.mentioned),
    topic_mentioned: flags.map((flag) => flag.topicMentioned),
    alerted: flags.map((flag) => flag.alerted),
    upload_messages: uploads.map((upload) => upload.n),
    uploads: uploads.map((upload) => upload.id),
  }
}

interface Flags {
  readonly userId: number
  readonly mentioned: boolean
  readonly topicMentioned: boolean
  readonly alerted: boolean
}

const NO_FLAGS: Flags[] = []

/** The users that a message mentions or alerts, each with the flags that follow. */
function flagsIn({ mentioned, topicMentioned, alerted }: Recipients): Flags[] {
  if (mentioned.length === 0 && topicMentioned.length === 0 && alerted.length === 0) return NO_FLAGS
  const [named, took, watching] = [new Set(mentioned), new Set(topicMentioned), new Set(alerted)]
  return Array.from(new Set([...mentioned, ...topicMentioned, ...alerted]), (userId) => ({
    userId,
    mentioned: named.has(userId),
    topicMentioned: took.has(userId),
    alerted: watching.has(userId),
  }))
}

/** @param sent the queue, the local id and the widget that the message was sent with */
export function payloadOf(
  { readBy, mentioned, topicMentioned, alerted }: Recipients,
  sent: { readonly queueId: string | null; readonly localId: string | null; readonly widget: string | null },
): MessagePayload {
  const payload: { -readonly [Name in keyof MessagePayload]: MessagePayload[Name] } = {}
  if (readBy.length > 0) payload.read_by = readBy
  if (mentioned.length > 0) payload.mentioned = mentioned
  if (topicMentioned.length > 0) payload.topic_mentioned = topicMentioned
  if (alerted.length > 0) payload.alerted = alerted
  if (sent.queueId !== null && sent.localId !== null) {
    payload.queue_id = sent.queueId
    payload.local_id = sent.localId
  }
  if (sent.widget !== null) payload.widget = sent.widget
  return payload
}

/**
 * Channels whose earlier messages are hidden from some of their subscribers. A sender must not learn how others
 * spelled the topic before, or that they did; nor must other subscribers from the topics of the messages they read.
 */
function protectedChannels(organization: OrganizationState, messages: readonly MessageInsert[]): number[] {
  const ids = new Set(messages.map(({ message }) => message.channelId).filter((id) => id !== null))
  return [...ids].filter((id) => channelById(organization, id)?.historyPublic === false)
}
