import { createHash } from 'node:crypto'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { eventName } from '../../../kernel/event.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { numbered, valuesOf, type NamedStatement } from '../../../platform/db/named.ts'
import type { BatchKind } from '../../../platform/log/batch-writer.ts'
import type { LogRow } from '../../../platform/log/row.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { userTopicChanged, VISIBILITY, type UserTopic } from '../../user-topics/contract/user-topics.ts'
import { FOLLOW_NO_MORE, FOLLOW_WHERE_MENTIONED, makeFollowCache } from '../../user-topics/actions/following.ts'
import { userById } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { WIDGET } from '../contract/submessages.ts'
import { checkedTopic, mayBegin, requireMayStillWrite, sendableChannel } from '../rules/index.ts'
import { followersAmong } from '../rules/following.ts'
import { checkMentions } from '../rules/mentions.ts'
import { recipientsOf, type Destination } from '../rules/recipients.ts'
import { storedOf, type Outgoing } from './outgoing.ts'
import { kindsIn, payloadOf, insertMessages, insertValues, type MessageKinds } from './insert.ts'
import { vocabularyOf } from './words.ts'

const MAX_MESSAGES = 256
/** A statement costs what nine messages do, and its flush the time of eleven. */
const MIN_MESSAGES_AHEAD = 16
const NOBODY: readonly number[] = []

/** The kinds of messages in a batch, which decide what its statement has to do. */
interface BatchKinds extends MessageKinds {
  /** Some mention users who shall follow their topic for it: whether these follow it already has to be asked. */
  readonly following: boolean
  /** There are such users, and all of them followed the topic before. */
  readonly believing: boolean
  /** Some may have been sent before. */
  readonly repeatable: boolean
  /** Some are of users who may not begin the conversation, but only write where a message is already. */
  readonly answers: boolean
  /** Some are widgets. */
  readonly widgets: boolean
}

/**
 * Everything a batch of messages changes, in one statement: positions, topics, messages, events, the flags of single
 * users, the users who follow the topics then, and the rows by which a retry of (`queue_id`, `local_id`) finds the
 * first message instead of sending a second. Parts that no message of the batch needs are left out.
 */
function sendStatement(kinds: BatchKinds): NamedStatement {
  const { repeatable, answers, widgets, following, believing } = kinds
  const isSifted = repeatable || answers
  const isCountKnown = !isSifted && !following
  const fresh = isSifted ? '(select count(*) from fresh)' : '$count::bigint'
  const parts = [
    given(kinds),
    repeatable ? SENT_BEFORE : undefined,
    answers ? unanswerable(repeatable) : undefined,
    isSifted ? sifted(kinds) : undefined,
    isCountKnown ? TAKE_POSITIONS : LOCK,
    isSifted
      ? 'm as materialized (select base, base + k as id, fresh.* from lock cross join fresh)'
      : 'm as materialized (select base, base + n as id, i.* from lock cross join i)',
    insertMessages(kinds),
    EVENTS,
    widgets ? WIDGETS : undefined,
    repeatable ? LOCAL_IDS : undefined,
    following ? FOLLOW_WHERE_MENTIONED : undefined,
    following ? followEvents(fresh) : undefined,
    isCountKnown ? undefined : movePosition(following ? `${fresh} + (select count(*) from followed)` : fresh),
  ].filter((part) => part !== undefined)
  const results = [
    SENT_ROWS,
    repeatable ? REPEATED_ROWS : undefined,
    answers ? UNANSWERABLE_ROWS : undefined,
    following ? FOLLOW_ROWS : undefined,
    believing ? FOLLOW_NO_MORE_ROWS : undefined,
  ].filter((part) => part !== undefined)
  return numbered(`with ${parts.join(',\n')}\n${results.join('\nunion all\n')}\norder by n`)
}

const given = ({ repeatable, answers }: BatchKinds): string => `
i as (
  select i.*, coalesce(known, message_words(content)) as search,
         known is null and octet_length(content) = length(content) as has_new_words
  from unnest($channels::bigint[], $conversation_topics::bigint[], $topics::text[], $topic_keys::text[],
              $senders::bigint[], $contents::text[], $rendered_contents::text[], $mention_channel::boolean[],
              $clients::text[], $known_words::tsvector[], $audiences::jsonb[], $payloads::jsonb[]
              ${repeatable ? ', $queues::text[], $local_ids::text[]' : ''}
              ${answers ? ', $answers::boolean[]' : ''})
  with ordinality as i(channel_id, conversation_topic_id, topic, topic_key, sender_id, content, rendered_content,
                       mentions_channel, client, known, audience, payload ${repeatable ? ', queue_id, local_id' : ''}
                       ${answers ? ', is_answer' : ''}, n))`

const SENT_BEFORE = `
sent as materialized (
  select i.n, s.message_id from i
  join queues q on q.organization_id = $organization and q.id = i.queue_id and q.user_id = i.sender_id
  join sent_local_ids s on s.organization_id = $organization and s.queue_id = i.queue_id and s.local_id = i.local_id)`

/** Messages that would answer to nothing: the conversation has no messages, or has none any more. */
const unanswerable = (repeatable: boolean): string => `
unanswerable as materialized (
  select i.n from i where i.is_answer
  and not exists (select from messages m where m.organization_id = $organization and m.topic_id = i.conversation_topic_id)
  ${repeatable ? 'and not exists (select from sent where sent.n = i.n)' : ''})`

const sifted = ({ repeatable, answers }: BatchKinds): string => `
fresh as materialized (
  select i.*, row_number() over (order by i.n) as k from i where true
  ${repeatable ? 'and not exists (select from sent where sent.n = i.n)' : ''}
  ${answers ? 'and not exists (select from unanswerable where unanswerable.n = i.n)' : ''})`

const TAKE_POSITIONS = `
lock as materialized (
  update organizations set position = position + $count::bigint where id = $organization
  returning position - $count::bigint as base)`

const LOCK = 'lock as materialized (select position as base from organizations where id = $organization for update)'

const movePosition = (by: string): string =>
  `moved as (update organizations set position = position + ${by} where id = $organization)`

const EVENTS = `
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience, payload, $now from p)`

const WIDGETS = `
widget as (
  insert into submessages (organization_id, id, message_id, sender_id, msg_type, content)
  select $organization, p.id, p.id, p.sender_id, '${WIDGET}', w.content
  from p join unnest($widget_messages::bigint[], $widgets::text[]) as w(n, content) on w.n = p.n)`

const LOCAL_IDS = `
local as (
  insert into sent_local_ids (organization_id, queue_id, local_id, message_id)
  select $organization, p.queue_id, p.local_id, p.id from p
  join queues q on q.organization_id = $organization and q.id = p.queue_id and q.user_id = p.sender_id
  where p.local_id is not null)`

const followEvents = (fresh: string): string => `
follow_event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, base + ${fresh} + k, '${eventName(userTopicChanged)}', null,
         jsonb_build_object('users', jsonb_build_array(user_id)),
         jsonb_build_object('stream_id', channel_id, 'topic_name', topic_name, 'last_updated', $now::bigint,
                            'visibility_policy', ${VISIBILITY.followed}), $now
  from followed cross join lock)`

const SENT_ROWS = `
select 'sent' as what, n, id, topic_id as "topicId", topic_name as topic, first_id = id as "startsTopic", base,
       null::bigint as "userId", channel_id as "channelId", case when has_new_words then search::text end as words
from p`

const REPEATED_ROWS = `
select 'repeated', n, message_id, null, null, false, base, null, null, null from sent cross join lock`

const UNANSWERABLE_ROWS = `
select 'not begun', n, null, null, null, false, base, null, null, null from unanswerable cross join lock`

const FOLLOW_ROWS = `
select 'followed', k, null, null, topic_name, false, base, user_id, channel_id, null from followed cross join lock
union all
select 'to follow', n, null, null, null, false, null, user_id, null, null from follower where before = ${VISIBILITY.muted}`

const FOLLOW_NO_MORE_ROWS = `
select 'to follow', p.n, null, null, null, false, null, f.user_id, null, null ${FOLLOW_NO_MORE}`

const statements = new Map<string, NamedStatement>()

/** The statement with the name under which the database keeps it prepared. */
function prepared(kinds: BatchKinds): NamedStatement & { readonly name: string } {
  const { repeatable, answers, widgets, read, direct, linking, following, believing, spelled } = kinds
  const options = { repeatable, answers, widgets, read, direct, linking, following, believing, spelled }
  const name = ['send', ...Object.entries(options).map(([option, isOn]) => isOn && option)].filter(Boolean).join('_')
  const statement = statements.get(name) ?? sendStatement(kinds)
  statements.set(name, statement)
  return { name, ...statement }
}

/** The outcome of a message, or of a user that a message mentions. */
type Row = SentRow | FollowRow | LaterRow

interface SentRow {
  readonly what: 'sent' | 'repeated' | 'not begun'
  /** The place of the message in the batch. */
  readonly n: number
  readonly id: number
  readonly topicId: number
  readonly topic: string
  readonly startsTopic: boolean
  /** The position before the batch. */
  readonly base: number
  /** As the database found them, where it was not told. */
  readonly words: string | null
}

interface FollowRow {
  readonly what: 'followed'
  readonly n: number
  readonly topic: string
  readonly userId: number
  readonly channelId: number
  readonly base: number
}

/** A user that the message `n` mentions, and who does not follow its topic yet. */
interface LaterRow {
  readonly what: 'to follow'
  readonly n: number
  readonly userId: number
}

/** What became of a message. */
export interface Sent {
  readonly id: number
  /** Whether the message was written now; where it was sent again, this is the first message. */
  readonly fresh: boolean
  /** Whether it is a channel topic's first message. */
  readonly startsTopic: boolean
  /**
   * Users who shall follow the topic because the message mentions them, and who had muted it, or were wrongly cached
   * as followers.
   */
  readonly toFollow: readonly number[]
}

/**
 * `not begun`: the message would be the first in its conversation, which the sender may not begin, and is not
 * written.
 */
type Outcome = Sent | 'not begun'

export const sendBatch: BatchKind<Outgoing, Outcome> = {
  name: 'send',
  maxItems: MAX_MESSAGES,
  minAhead: MIN_MESSAGES_AHEAD,
  check(organization, { senderId, channelId, conversation, topic, facts }) {
    const sender = userById(organization, senderId)
    if (sender?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
    const member = { userId: senderId, role: sender.role }
    if (channelId !== null) checkedTopic(organization, sendableChannel(organization, member, channelId), topic)
    if (conversation !== null) requireMayStillWrite(organization, member, conversation.memberIds)
    checkMentions(organization, member, channelId, facts)
  },
  async write(line, organization, items) {
    const now = Math.floor(Date.now() / 1000)
    const outgoing = items.map((item) => {
      const reach = recipientsOf(organization, destinationOf(item), item.facts, item)
      return { message: item, reach, payload: payloadOf(reach, item) }
    })
    const following = outgoing.flatMap(({ message, reach }, index) =>
      followersAmong(organization, message, reach.mentioned).map((userId) => ({ n: index + 1, userId, message })),
    )
    const followCache = makeFollowCache(organization)
    const isBelieved = following.every(({ userId, message }) => followCache.has(userId, message))
    const answers = items.map((item) => isAnswer(organization, item))
    const widgets = widgetsIn(items)
    const vocabulary = vocabularyOf(line.database)
    const statement = prepared({
      ...kindsIn(organization, outgoing),
      following: !isBelieved,
      believing: isBelieved && following.length > 0,
      repeatable: items.some(({ queueId, localId }) => queueId !== null && localId !== null),
      answers: answers.includes(true),
      widgets: widgets.length > 0,
    })
    const rows = await line.rows<Row>(
      statement.name,
      statement.text,
      valuesOf(statement, {
        ...insertValues(organization, now, outgoing),
        known_words: items.map(({ content }) => vocabulary.vectorOf(content)),
        count: items.length,
        queues: items.map((item) => item.queueId),
        local_ids: items.map((item) => (item.localId === null ? null : localKey(item.localId))),
        answers,
        widget_messages: widgets.map(({ n }) => n),
        widgets: widgets.map(({ content }) => content),
        audiences: items.map((item) => JSON.stringify(item.audience)),
        payloads: outgoing.map(({ payload }) => JSON.stringify(payload)),
        follower_messages: following.map(({ n }) => n),
        followers: following.map(({ userId }) => userId),
      }),
    )
    const placed = rows.filter((row): row is SentRow => row.what !== 'followed' && row.what !== 'to follow')
    const followed = rows.filter((row): row is FollowRow => row.what === 'followed')
    const later = rows.filter((row): row is LaterRow => row.what === 'to follow')
    for (const { n, userId, message } of following) {
      followCache.learn(userId, message, !later.some((row) => row.n === n && row.userId === userId))
    }
    for (const [index, { words }] of placed.entries()) {
      if (words !== null) vocabulary.learn(items[index]?.content ?? '', words)
    }
    const base = placed[0]?.base ?? organization.position
    const links = await linksInTopics(
      organization,
      placed.filter((row) => row.what === 'sent').map((row) => row.topic),
    )
    const results = placed.map((row) => outcomeOf(row, later))
    const messages = logRowsOf(placed, outgoing, links, now)
    const events = [...messages, ...followed.map((row) => followEvent(row, base + messages.length + row.n, now))]
    return { base, head: events.at(-1)?.position ?? base, rows: events, results }
  },
}

function outcomeOf(row: SentRow, later: readonly LaterRow[]): Outcome {
  if (row.what === 'not begun') return row.what
  return {
    id: row.id,
    fresh: row.what === 'sent',
    startsTopic: row.startsTopic,
    toFollow: later.length === 0 ? NOBODY : later.filter(({ n }) => n === row.n).map(({ userId }) => userId),
  }
}

/** The rows of the log of the messages that were written now. */
function logRowsOf(
  placed: readonly SentRow[],
  outgoing: readonly { readonly message: Outgoing; readonly payload: LogRow['payload'] }[],
  links: Awaited<ReturnType<typeof linksInTopics>>,
  now: number,
): LogRow[] {
  return placed.flatMap((row, index): LogRow[] => {
    const sending = outgoing[index]
    if (row.what !== 'sent' || sending === undefined) return []
    const { message, payload } = sending
    return [
      {
        position: row.id,
        type: 'message',
        refId: row.id,
        audience: message.audience,
        payload,
        changes: null,
        attached: storedOf(message, row, now, links.get(row.topic) ?? []),
      },
    ]
  })
}

/** Longer ones would not fit into an index of the database, whatever characters they have. */
const MAX_STORED_LOCAL_ID_BYTES = 400

/**
 * The key by which a retry finds the first message: the client's id, or a digest of one that is too long to be looked
 * up.
 */
function localKey(localId: string): string {
  if (Buffer.byteLength(localId) <= MAX_STORED_LOCAL_ID_BYTES) return localId
  return `sha256:${createHash('sha256').update(localId).digest('hex')}`
}

/** Whether the sender writes in a conversation that the sender may not begin. */
function isAnswer(organization: OrganizationState, { senderId, conversation }: Outgoing): boolean {
  if (conversation === null) return false
  return !mayBegin(
    organization,
    { userId: senderId, role: knownUser(organization, senderId).role },
    conversation.memberIds,
  )
}

function followEvent({ channelId, topic, userId }: FollowRow, position: number, now: number): LogRow {
  const payload: UserTopic = {
    stream_id: channelId,
    topic_name: topic,
    last_updated: now,
    visibility_policy: VISIBILITY.followed,
  }
  return {
    position,
    type: eventName(userTopicChanged),
    refId: null,
    audience: { users: [userId] },
    payload,
    changes: null,
  }
}

function destinationOf({ channelId, conversation }: Outgoing): Destination {
  return { channelId, memberIds: conversation?.memberIds ?? null }
}

/** The widgets among the messages, with the messages' places in the batch. */
function widgetsIn(items: readonly Outgoing[]): { n: number; content: string }[] {
  const widgets: { n: number; content: string }[] = []
  for (const [index, { widget }] of items.entries()) {
    if (widget !== null) widgets.push({ n: index + 1, content: widget })
  }
  return widgets
}
