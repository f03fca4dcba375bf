import type { Db } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { MENTIONING_MESSAGES, unreadSql } from '../flags/queries/unread.ts'
import { VISIBILITY, type VisibilityPolicy } from '../user-topics/contract.ts'

export interface MissedRange {
  readonly userId: number
  readonly firstId: number
  readonly newestId: number
}

const MAX_DUE_CHECKS = 200

const DUE_MISSED_CHECKS = `
  select m.organization_id as "organizationId", m.user_id as id from missed_messages m
  join organization_settings o on o.organization_id = m.organization_id and not o.deactivated
  where m.due_at <= $1 order by m.due_at limit ${MAX_DUE_CHECKS}`

export async function dueMissedChecks(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('due_missed_messages', DUE_MISSED_CHECKS, [now])
}

const MISSED_RANGE = `
  select user_id as "userId", first_id as "firstId", newest_id as "newestId" from missed_messages
  where organization_id = $1 and user_id = $2 and due_at <= $3`

export async function dueMissedRange(
  db: Db,
  organizationId: number,
  userId: number,
  now: number,
): Promise<MissedRange | undefined> {
  const [row] = await db.rows<MissedRange>('missed_messages_of', MISSED_RANGE, [organizationId, userId, now])
  return row
}

export interface UnreadMessage {
  readonly id: number
  readonly channelId: number | null
  readonly topicId: number
  readonly senderId: number
  /** UNIX seconds when the message was sent, or when an edit added a mention of the user. */
  readonly at: number
  /** Whether the user was mentioned only when the message was edited. */
  readonly isLate: boolean
  readonly isMentioned: boolean
  readonly isMentionedWithOthers: boolean
  readonly policy: VisibilityPolicy
}

export const MAX_CHECKED_MESSAGES = 1_000

/** User $2's unread DMs, mentions, and messages in followed topics or channels $4. IDs from $3 to $6, sent since $5. */
const POSSIBLY_MISSED_MESSAGES = `
  with found as materialized (
    select m.id from conversation_members c
    join conversations d on d.organization_id = $1 and d.id = c.conversation_id
    join topics t on t.organization_id = $1 and t.id = d.topic_id and t.max_id >= $3
    join messages m on m.organization_id = $1 and m.topic_id = t.id and m.id >= $3
    where c.organization_id = $1 and c.user_id = $2
    union
    (${MENTIONING_MESSAGES})
    union
    select m.id from user_topics f
    join topics t on t.organization_id = $1 and t.channel_id = f.channel_id and t.name_key = f.name_key and t.max_id >= $3
    join messages m on m.organization_id = $1 and m.topic_id = t.id and m.id >= $3
    where f.organization_id = $1 and f.user_id = $2 and f.visibility_policy = ${VISIBILITY.followed}
    union
    select m.id from messages m where m.organization_id = $1 and m.channel_id = any($4::bigint[]) and m.id >= $3
    union
    select l.message_id from late_mentions l where l.organization_id = $1 and l.user_id = $2)
  select m.id, m.channel_id as "channelId", m.topic_id as "topicId", m.sender_id as "senderId", coalesce(l.mentioned_at, m.date_sent) as at,
    l.message_id is not null as "isLate",
    coalesce(f.mentioned, false) as "isMentioned",
    m.mentions_channel or coalesce(f.topic_wildcard_mentioned, false) as "isMentionedWithOthers",
    coalesce(chosen.visibility_policy, ${VISIBILITY.none})::int as policy
  from found
  join messages m on m.organization_id = $1 and m.id = found.id
  join topics t on t.organization_id = $1 and t.id = m.topic_id
  left join late_mentions l on l.organization_id = $1 and l.user_id = $2 and l.message_id = m.id
  left join message_flags f on f.organization_id = $1 and f.user_id = $2 and f.message_id = m.id
  left join user_topics chosen on chosen.organization_id = $1 and chosen.user_id = $2
    and chosen.channel_id = m.channel_id and chosen.name_key = t.name_key
  where m.sender_id <> $2 and m.id <= $6 and coalesce(l.mentioned_at, m.date_sent) >= $5
    and ${unreadSql({ message: 'm' })}
  order by m.id limit ${MAX_CHECKED_MESSAGES}`

/** Omits messages after the range, whose recipients are not recorded yet: the next record covers them. */
export async function unreadMessagesOf(
  db: Db,
  organizationId: number,
  { userId, firstId, newestId }: MissedRange,
  { channelIds, since }: { readonly channelIds: readonly number[]; readonly since: number },
): Promise<UnreadMessage[]> {
  return db.rows('unread_to_tell', POSSIBLY_MISSED_MESSAGES, [
    organizationId,
    userId,
    firstId,
    channelIds,
    since,
    newestId,
  ])
}

const ACCOUNT_IN_OTHER_ORGANIZATION = `
  select 1 from organizations o join organization_settings s on s.organization_id = o.id and not s.deactivated
  where o.id <> $1 and exists (
    select from users u where u.organization_id = o.id and u.delivery_email_key = $2 and u.is_active)
  limit 1`

export async function hasAccountElsewhere(db: Db, organizationId: number, addressKey: string): Promise<boolean> {
  return (await db.rows('account_elsewhere', ACCOUNT_IN_OTHER_ORGANIZATION, [organizationId, addressKey])).length > 0
}
