import type pg from 'pg'
import type { Audience } from '../../../kernel/audience.ts'
import type { World } from '../../../kernel/fold.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { BatchKind } from '../../../platform/log/organization-log.ts'
import type { LogRow } from '../../../platform/log/row.ts'
import { userById } from '../../users/queries.ts'
import type { StoredMessage } from '../queries.ts'
import { sendableChannel } from '../rules.ts'
import { PLACE_MESSAGES, protectedChannels } from './placing.ts'

/** A message that has been checked and rendered, waiting for its position. */
export interface Outgoing {
  readonly channelId: number | null
  readonly topic: string
  readonly conversation: { readonly id: number; readonly topicId: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly content: string
  readonly renderedContent: string
  readonly client: string
  readonly readBySender: boolean
  readonly queueId: string | null
  readonly localId: string | null
  readonly audience: Audience
}

/** What a message event stores beside the id: what differs per receiver. */
export interface MessagePayload {
  /** The sender, if the message starts as read for them. */
  readonly read_by?: number
  readonly queue_id?: string
  readonly local_id?: string
}

const MAX_MESSAGES = 256

/**
 * Everything a batch of messages changes, in one statement: positions, topics, messages, events, the senders' read
 * marks, and what makes a retry of (`queue_id`, `local_id`) find the first message instead of sending a second.
 */
const SEND = `
with i as materialized (
  select * from unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[],
                       $11::text[], $12::boolean[], $13::text[], $14::text[], $15::jsonb[], $16::jsonb[])
  with ordinality as i(channel_id, conversation_topic_id, topic, topic_key, sender_id, content, rendered_content,
                       client, read_by_sender, queue_id, local_id, audience, payload, n)),
sent as materialized (
  select i.n, s.message_id from i
  join queues q on q.organization_id = $1 and q.id = i.queue_id and q.user_id = i.sender_id
  join sent_local_ids s on s.organization_id = $1 and s.queue_id = i.queue_id and s.local_id = i.local_id),
fresh as materialized (
  select i.*, row_number() over (order by i.n) as k from i where not exists (select 1 from sent where sent.n = i.n)),
r as (
  update organizations set position = position + (select count(*) from fresh)
  where id = $1 returning position - (select count(*) from fresh) as base),
m as materialized (select r.base + fresh.k as id, fresh.* from r cross join fresh),
${PLACE_MESSAGES},
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $1, id, 'message', id, audience, payload, $2 from p),
local as (
  insert into sent_local_ids (organization_id, queue_id, local_id, message_id)
  select $1, p.queue_id, p.local_id, p.id from p
  join queues q on q.organization_id = $1 and q.id = p.queue_id and q.user_id = p.sender_id
  where p.local_id is not null)
select n, id, topic_id as "topicId", topic_name as topic, first_id = id as "startsTopic", true as fresh,
       (select base from r) as base from p
union all
select n, message_id, null, null, false, false, (select base from r) from sent
order by n`

interface SentRow {
  readonly id: number
  readonly topicId: number
  readonly topic: string
  readonly startsTopic: boolean
  readonly fresh: boolean
  readonly base: number
}

/** What became of a message. */
export interface Sent {
  readonly id: number
  /** Whether it was written now; what was sent again is the first message. */
  readonly fresh: boolean
  /** Whether it is a channel topic's first message. */
  readonly startsTopic: boolean
}

export const sendBatch: BatchKind<Outgoing, Sent> = {
  name: 'send',
  maxItems: MAX_MESSAGES,
  check(world, { senderId, channelId }) {
    const sender = userById(world, senderId)
    if (sender?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
    if (channelId !== null) sendableChannel(world, { userId: senderId, role: sender.role }, channelId)
  },
  async write(pool: pg.Pool, world: World, items) {
    const now = Math.floor(Date.now() / 1000)
    const payloads = items.map(payloadOf)
    const { rows } = await pool.query<SentRow>({
      name: 'send',
      text: SEND,
      values: [
        world.organizationId,
        now,
        protectedChannels(world, items),
        items.map((item) => item.channelId),
        items.map((item) => item.conversation?.topicId ?? null),
        items.map((item) => item.topic),
        items.map((item) => caseKey(item.topic)),
        items.map((item) => item.senderId),
        items.map((item) => item.content),
        items.map((item) => item.renderedContent),
        items.map((item) => item.client),
        items.map((item) => item.readBySender),
        items.map((item) => item.queueId),
        items.map((item) => item.localId),
        items.map((item) => JSON.stringify(item.audience)),
        payloads.map((payload) => JSON.stringify(payload)),
      ],
    })
    const base = rows[0]?.base ?? world.position
    const events = rows.flatMap((row, index): LogRow[] => {
      const [item, payload] = [items[index], payloads[index]]
      if (!row.fresh || item === undefined || payload === undefined) return []
      return [
        {
          position: row.id,
          type: 'message',
          refId: row.id,
          audience: item.audience,
          payload: { ...payload },
          changes: null,
          attached: storedOf(item, row, now),
        },
      ]
    })
    return { base, head: events.at(-1)?.position ?? base, rows: events, results: rows }
  },
}

function payloadOf(item: Outgoing): MessagePayload {
  return {
    ...(item.readBySender ? { read_by: item.senderId } : {}),
    ...(item.queueId !== null && item.localId !== null ? { queue_id: item.queueId, local_id: item.localId } : {}),
  }
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
    dateSent: now,
    client: item.client,
  }
}
