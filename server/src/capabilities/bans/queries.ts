import type { Input, Output } from '../../kernel/endpoint.ts'
import type { Db, Reader, TransactionDb } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { requireModerator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import type { Ban } from './contract.ts'

const MAX_BANS_PER_POLL = 100

const BAN_COLUMNS = 'user_id, reason, banned_by, banned_at, ends_at'

const BANS_BEFORE = `
  select ${BAN_COLUMNS} from bans where organization_id = $1 and (banned_at, user_id) < ($2, $3)
  order by banned_at desc, user_id desc limit $4`

export async function getBans(
  { db, organizationId, actor }: Reader,
  { before = Number.MAX_SAFE_INTEGER, before_user_id: beforeUserId = 0, limit }: Input<typeof contract.getBans>,
): Promise<Output<typeof contract.getBans>> {
  requireModerator(actor)
  const bans = await db.rows<Ban>('bans', BANS_BEFORE, [organizationId, before, beforeUserId, limit + 1])
  return { bans: bans.slice(0, limit), has_older: bans.length > limit }
}

export async function banOf(db: Db | TransactionDb, organizationId: number, userId: number): Promise<Ban | undefined> {
  const [ban] = await db.rows<Ban>(
    'ban_of',
    `select ${BAN_COLUMNS} from bans where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return ban
}

export async function expiredBans(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>(
    'expired_bans',
    `select b.organization_id as "organizationId", b.user_id as id from bans b
     join organization_settings o on o.organization_id = b.organization_id and not o.deactivated
     where b.ends_at <= $1 order by b.ends_at limit ${MAX_BANS_PER_POLL}`,
    [now],
  )
}

export const SENT_MESSAGES_PER_PAGE = 1_000

const SENT_MESSAGES = `
  select m.id, m.channel_id as "channelId", m.date_sent as "dateSent"
  from unnest($2::bigint[]) as sender (id) cross join lateral (
    select id, channel_id, date_sent from messages where organization_id = $1 and sender_id = sender.id and id < $3
    order by id desc limit ${SENT_MESSAGES_PER_PAGE}) m
  order by m.id desc limit ${SENT_MESSAGES_PER_PAGE}`

interface SentMessage {
  readonly id: number
  readonly channelId: number | null
  readonly dateSent: number
}

/** Returns a page of the senders' messages before a message, newest first. Times in UNIX seconds. */
export async function messagesSentBefore(
  db: Db,
  organizationId: number,
  senderIds: readonly number[],
  before: number,
): Promise<SentMessage[]> {
  return db.rows<SentMessage>('messages_sent_before', SENT_MESSAGES, [organizationId, senderIds, before])
}

const SENT_IN_CHANNELS = `
  select channel_id as "channelId", topic_id as "topicId", array_agg(id order by id) as ids from messages
  where organization_id = $1 and id = any($2::bigint[]) and sender_id = any($3::bigint[])
    and channel_id = any($4::bigint[])
  group by channel_id, topic_id order by min(id)`

export interface MessagesInTopic {
  readonly channelId: number
  readonly topicId: number
  readonly ids: readonly number[]
}

/** Returns, by topic, those of the messages that the senders have in the channels. */
export async function sentInChannels(
  db: TransactionDb,
  organizationId: number,
  messageIds: readonly number[],
  { senderIds, channelIds }: { readonly senderIds: readonly number[]; readonly channelIds: readonly number[] },
): Promise<MessagesInTopic[]> {
  const values = [organizationId, messageIds, senderIds, channelIds]
  return db.rows<MessagesInTopic>('sent_in_channels', SENT_IN_CHANNELS, values)
}
