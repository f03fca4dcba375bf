import type pg from 'pg'
import type { Audience } from '../../../kernel/audience.ts'
import type { World } from '../../../kernel/fold.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { eventName } from '../../../kernel/event.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { BatchKind } from '../../../platform/log/organization-log.ts'
import type { LogRow } from '../../../platform/log/row.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { userTopicChanged, VISIBILITY, type UserTopic } from '../../user-topics/contract.ts'
import { FOLLOW_WHERE_MENTIONED } from '../../user-topics/actions/following.ts'
import { userById } from '../../users/queries.ts'
import type { StoredMessage } from '../queries.ts'
import { sendableChannel } from '../rules.ts'
import { followersAmong } from '../rules/following.ts'
import { checkMentions } from '../rules/mentions.ts'
import { reachOf, type Destination } from '../rules/reach.ts'
import { payloadOf, PLACE_MESSAGES, placingParameters, type MessagePayload } from './placing.ts'
import type { PreparedContent } from './prepare.ts'

/** A message that has been checked and rendered, waiting for its position. */
export interface Outgoing extends PreparedContent {
  readonly channelId: number | null
  readonly topic: string
  readonly conversation: { readonly id: number; readonly topicId: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly client: string
  readonly readBySender: boolean
  readonly queueId: string | null
  readonly localId: string | null
  readonly audience: Audience
}

const MAX_MESSAGES = 256

/**
 * Everything a batch of messages changes, in one statement: positions, topics, messages, events, what the messages
 * mean to single people, who follows their topics then, and what makes a retry of (`queue_id`, `local_id`) find the first message instead of sending
 * a second.
 */
const SEND = `
with i as materialized (
  select * from unnest($13::bigint[], $14::bigint[], $15::text[], $16::text[], $17::bigint[], $18::text[], $19::text[],
                       $20::boolean[], $21::text[], $22::text[], $23::text[], $24::jsonb[], $25::jsonb[])
  with ordinality as i(channel_id, conversation_topic_id, topic, topic_key, sender_id, content, rendered_content,
                       mentions_channel, client, queue_id, local_id, audience, payload, n)),
sent as materialized (
  select i.n, s.message_id from i
  join queues q on q.organization_id = $1 and q.id = i.queue_id and q.user_id = i.sender_id
  join sent_local_ids s on s.organization_id = $1 and s.queue_id = i.queue_id and s.local_id = i.local_id),
fresh as materialized (
  select i.*, row_number() over (order by i.n) as k from i where not exists (select 1 from sent where sent.n = i.n)),
lock as materialized (select position as base from organizations where id = $1 for update),
m as materialized (select lock.base + fresh.k as id, fresh.* from lock cross join fresh),
${PLACE_MESSAGES},
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $1, id, 'message', id, audience, payload, $2 from p),
local as (
  insert into sent_local_ids (organization_id, queue_id, local_id, message_id)
  select $1, p.queue_id, p.local_id, p.id from p
  join queues q on q.organization_id = $1 and q.id = p.queue_id and q.user_id = p.sender_id
  where p.local_id is not null),
${FOLLOW_WHERE_MENTIONED},
follow_event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $1, base + (select count(*) from fresh) + k, '${eventName(userTopicChanged)}', null,
         jsonb_build_object('users', jsonb_build_array(user_id)),
         jsonb_build_object('stream_id', channel_id, 'topic_name', topic_name, 'last_updated', $2::bigint,
                            'visibility_policy', ${VISIBILITY.followed}), $2
  from followed cross join lock),
moved as (
  update organizations
  set position = position + (select count(*) from fresh) + (select count(*) from followed) where id = $1)
select 'sent' as what, n, id, topic_id as "topicId", topic_name as topic, first_id = id as "startsTopic", lock.base,
       null::bigint as "userId", channel_id as "channelId" from p cross join lock
union all
select 'repeated', n, message_id, null, null, false, base, null, null from sent cross join lock
union all
select 'followed', k, null, null, topic_name, false, base, user_id, channel_id from followed cross join lock
union all
select 'muted', n, null, null, null, false, null, user_id, null from follower where before = ${VISIBILITY.muted}
order by n`

/** What became of a message, or of somebody whom one mentions. */
type Row = SentRow | FollowRow | MutedRow

interface SentRow {
  readonly what: 'sent' | 'repeated'
  /** The place of the message in the batch. */
  readonly n: number
  readonly id: number
  readonly topicId: number
  readonly topic: string
  readonly startsTopic: boolean
  /** The position before the batch. */
  readonly base: number
}

interface FollowRow {
  readonly what: 'followed'
  readonly n: number
  readonly topic: string
  readonly userId: number
  readonly channelId: number
  readonly base: number
}

/** Somebody who had muted the topic in which the message `n` mentions them. */
interface MutedRow {
  readonly what: 'muted'
  readonly n: number
  readonly userId: number
}

/** What became of a message. */
export interface Sent {
  readonly id: number
  /** Whether it was written now; what was sent again is the first message. */
  readonly fresh: boolean
  /** Whether it is a channel topic's first message. */
  readonly startsTopic: boolean
  /** Users who had muted its topic, and shall follow it because it mentions them. */
  readonly muted: readonly number[]
}

export const sendBatch: BatchKind<Outgoing, Sent> = {
  name: 'send',
  maxItems: MAX_MESSAGES,
  check(world, { senderId, channelId, facts }) {
    const sender = userById(world, senderId)
    if (sender?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
    const member = { userId: senderId, role: sender.role }
    if (channelId !== null) sendableChannel(world, member, channelId)
    checkMentions(world, member, channelId, facts)
  },
  async write(pool: pg.Pool, world: World, items) {
    const now = Math.floor(Date.now() / 1000)
    const outgoing = items.map((item) => {
      const reach = reachOf(world, destinationOf(item), item.facts, item)
      return {
        item,
        channelId: item.channelId,
        uploadIds: item.uploadIds,
        reach,
        payload: Object.assign(payloadOf(reach), echoOf(item)),
      }
    })
    const following = outgoing.flatMap(({ item, reach }, index) =>
      followersAmong(world, item, reach.mentioned).map((userId) => ({ n: index + 1, userId })),
    )
    const { rows } = await pool.query<Row>({
      name: 'send',
      text: SEND,
      values: [
        ...placingParameters(world, now, outgoing),
        items.map((item) => item.channelId),
        items.map((item) => item.conversation?.topicId ?? null),
        items.map((item) => item.topic),
        items.map((item) => caseKey(item.topic)),
        items.map((item) => item.senderId),
        items.map((item) => item.content),
        items.map((item) => item.renderedContent),
        items.map((item) => item.facts.mentionsChannel),
        items.map((item) => item.client),
        items.map((item) => item.queueId),
        items.map((item) => item.localId),
        items.map((item) => JSON.stringify(item.audience)),
        outgoing.map(({ payload }) => JSON.stringify(payload)),
        following.map(({ n }) => n),
        following.map(({ userId }) => userId),
      ],
    })
    const placed = rows.filter((row): row is SentRow => row.what === 'sent' || row.what === 'repeated')
    const followed = rows.filter((row): row is FollowRow => row.what === 'followed')
    const muted = rows.filter((row): row is MutedRow => row.what === 'muted')
    const base = placed[0]?.base ?? world.position
    const links = await linksInTopics(
      world,
      placed.filter((row) => row.what === 'sent').map((row) => row.topic),
    )
    const results = placed.map((row): Sent => ({
      id: row.id,
      fresh: row.what === 'sent',
      startsTopic: row.startsTopic,
      muted: muted.filter(({ n }) => n === row.n).map(({ userId }) => userId),
    }))
    const messages = placed.flatMap((row, index): LogRow[] => {
      const sending = outgoing[index]
      if (row.what === 'repeated' || sending === undefined) return []
      const { item, payload } = sending
      return [
        {
          position: row.id,
          type: 'message',
          refId: row.id,
          audience: item.audience,
          payload: { ...payload },
          changes: null,
          attached: { topicLinks: links.get(row.topic) ?? [], ...storedOf(item, row, now) },
        },
      ]
    })
    const events = [...messages, ...followed.map((row) => followEvent(row, base + messages.length + row.n, now))]
    return { base, head: events.at(-1)?.position ?? base, rows: events, results }
  },
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

function echoOf({ queueId, localId }: Outgoing): MessagePayload {
  return queueId === null || localId === null ? {} : { queue_id: queueId, local_id: localId }
}

function storedOf(item: Outgoing, row: SentRow, now: number): StoredMessage {
  return {
    id: row.id,
    channelId: item.channelId,
    topicId: row.topicId,
    topic: row.topic,
    conversationId: item.conversation?.id ?? null,
    memberIds: item.conversation?.memberIds ?? null,
    senderId: item.senderId,
    content: item.content,
    renderedContent: item.renderedContent,
    mentionsChannel: item.facts.mentionsChannel,
    dateSent: now,
    client: item.client,
  }
}
