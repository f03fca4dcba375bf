import type { Db, TransactionDb } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { directReadersSql } from '../messages/queries/stored.ts'
import { UNLIMITED_RETENTION } from '../organizations/contract/settings.ts'

const DAY_SECONDS = 86_400
const MAX_TOPICS_PER_POLL = 500

/** Returns undefined for unlimited retention, which is stored as a value below 1. */
export function retentionDays(stored: number): number | undefined {
  return stored < 1 ? undefined : stored
}

/** Reads only each topic's oldest message, and only where a retention time is set. */
const TOPICS_WITH_EXPIRED_MESSAGES = `
  with limits as materialized (
    select organization_id, coalesce((settings->>'message_retention_days')::bigint, ${UNLIMITED_RETENTION}) as days
    from organization_settings where not deactivated),
  kept as materialized (
    select c.organization_id, c.id as channel_id, coalesce(c.message_retention_days, l.days) as days
    from limits l join channels c on c.organization_id = l.organization_id),
  candidates as (
    select t.organization_id, t.id, k.days from kept k
    join topics t on t.organization_id = k.organization_id and t.channel_id = k.channel_id where k.days >= 1
    union all
    select c.organization_id, c.topic_id, l.days from limits l
    join conversations c on c.organization_id = l.organization_id where l.days >= 1)
  select c.organization_id as "organizationId", c.id from candidates c
  cross join lateral (
    select m.date_sent from messages m
    where m.organization_id = c.organization_id and m.topic_id = c.id order by m.id limit 1) oldest
  where oldest.date_sent < $1 - c.days * ${DAY_SECONDS} limit ${MAX_TOPICS_PER_POLL}`

export async function topicsWithExpiredMessages(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('topics_with_expired', TOPICS_WITH_EXPIRED_MESSAGES, [now])
}

export async function conversationOfTopic(
  db: TransactionDb,
  organizationId: number,
  topicId: number,
): Promise<{ channelId: number | null; memberIds: number[] | null } | undefined> {
  return db
    .selectFrom('topics')
    .leftJoin('conversations', (join) =>
      join
        .onRef('conversations.organization_id', '=', 'topics.organization_id')
        .onRef('conversations.topic_id', '=', 'topics.id'),
    )
    .select(['topics.channel_id as channelId', 'conversations.member_ids as memberIds'])
    .where('topics.organization_id', '=', organizationId)
    .where('topics.id', '=', topicId)
    .executeTakeFirst()
}

const EXPIRED_MESSAGES = `
  select m.id, ${directReadersSql({ message: 'm', conversation: 'c' })} as "readerIds" from messages m
  left join conversations c on c.organization_id = $1 and c.topic_id = case when m.channel_id is null then m.topic_id end
  where m.organization_id = $1 and m.topic_id = $2 and m.date_sent < $3 order by m.id limit $4`

export async function expiredMessages(
  db: Db,
  organizationId: number,
  topicId: number,
  now: number,
  days: number,
  limit: number,
): Promise<{ id: number; readerIds: number[] | null }[]> {
  return db.rows('expired_messages', EXPIRED_MESSAGES, [organizationId, topicId, now - days * DAY_SECONDS, limit])
}
