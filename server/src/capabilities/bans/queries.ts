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

const MESSAGES_BEFORE_BAN = `
  select m.channel_id as "channelId", m.topic_id as "topicId", array_agg(m.id order by m.id) as ids from (
    select m.id, m.channel_id, m.topic_id from unnest($2::bigint[]) as sender(id) cross join lateral (
      select id, channel_id, topic_id from messages
      where organization_id = $1 and sender_id = sender.id and channel_id = any($3::bigint[])
      and date_sent between $4 and $5 order by id desc limit $6) m
    order by m.id desc limit $6) m
  group by m.channel_id, m.topic_id order by min(m.id)`

export interface MessagesInTopic {
  readonly channelId: number
  readonly topicId: number
  readonly ids: readonly number[]
}

/** Returns the senders' newest messages in the channels, by topic. Times in UNIX seconds. */
export async function messagesSentBetween(
  db: TransactionDb,
  organizationId: number,
  { senderIds, channelIds }: { readonly senderIds: readonly number[]; readonly channelIds: readonly number[] },
  [from, to]: readonly [from: number, to: number],
  limit: number,
): Promise<MessagesInTopic[]> {
  const values = [organizationId, senderIds, channelIds, from, to, limit]
  return db.rows<MessagesInTopic>('messages_before_ban', MESSAGES_BEFORE_BAN, values)
}
