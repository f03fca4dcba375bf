import type { Db } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { FULL_MAIL_QUEUES } from '../mail/queries.ts'
import { VISIBILITY } from '../user-topics/contract.ts'

const DAY_SECONDS = 86_400
/** Digests are written from this hour of the day (UTC). */
const DIGEST_START_HOUR_UTC = 8
/** Minimum time between two digests, even if the organization changes the weekday. */
const MIN_SECONDS_BETWEEN_DIGESTS = 6 * DAY_SECONDS
const MIN_INACTIVE_SECONDS = 5 * DAY_SECONDS

const DUE_DIGEST_WEEKS = `
  select o.organization_id as "organizationId", 0 as id from organization_settings o
  left join digest_weeks w on w.organization_id = o.organization_id
  where not o.deactivated and (o.settings->>'digest_emails_enabled')::boolean
    and coalesce((o.settings->>'digest_weekday')::int, 1) = $2 and (w.begun_at is null or w.begun_at <= $1)
  limit 100`

/** Weekdays are numbered from Monday, which is 0. */
export async function dueDigestWeeks(db: Db, now: number): Promise<DueJob[]> {
  const at = new Date(now * 1000)
  if (at.getUTCHours() < DIGEST_START_HOUR_UTC) return []
  const weekday = (at.getUTCDay() + 6) % 7
  return db.rows<DueJob>('due_digest_weeks', DUE_DIGEST_WEEKS, [now - MIN_SECONDS_BETWEEN_DIGESTS, weekday])
}

const MAX_DUE_JOBS = 100

const DUE_DIGEST_READERS = `
  select r.organization_id as "organizationId", r.user_id as id from digest_readers r
  join organization_settings o on o.organization_id = r.organization_id and not o.deactivated
  where r.organization_id not in (${FULL_MAIL_QUEUES})
  order by r.organization_id, r.user_id limit ${MAX_DUE_JOBS}`

export async function dueDigestReaders(db: Db): Promise<DueJob[]> {
  return db.rows<DueJob>('due_digest_readers', DUE_DIGEST_READERS, [])
}

const INACTIVE_PEOPLE = `select user_id as "userId" from user_activity where organization_id = $1 and noted_at <= $2`

export async function inactivePeople(db: Db, organizationId: number, now: number): Promise<number[]> {
  const rows = await db.rows<{ userId: number }>('people_away', INACTIVE_PEOPLE, [
    organizationId,
    now - MIN_INACTIVE_SECONDS,
  ])
  return rows.map(({ userId }) => userId)
}

export interface DigestWeek {
  readonly begunAt: number
  readonly position: number
  readonly since: number
}

export async function lastDigestWeek(db: Db, organizationId: number): Promise<DigestWeek | undefined> {
  const [week] = await db.rows<DigestWeek>(
    'digest_week',
    'select begun_at as "begunAt", position, since from digest_weeks where organization_id = $1',
    [organizationId],
  )
  return week
}

export interface BusyTopic {
  readonly channelId: number
  readonly topic: string
  readonly firstId: number
  readonly messages: number
  readonly people: number
}

export const MAX_BUSY_TOPICS = 5

/** Busiest topics that the user did not mute. In each channel, messages count from the subscription's start. */
const BUSIEST_TOPICS = `
  select t.channel_id as "channelId", t.name as topic, min(m.id) as "firstId", count(*)::int as messages,
    count(distinct m.sender_id)::int as people
  from unnest($3::bigint[], $4::bigint[]) as own(channel_id, start)
  join topics t on t.organization_id = $1 and t.channel_id = own.channel_id and t.max_id > $5
  join messages m on m.organization_id = $1 and m.topic_id = t.id and m.id > $5 and m.id <= $6 and m.id >= own.start
  where not exists (
    select from user_topics u where u.organization_id = $1 and u.user_id = $2 and u.channel_id = t.channel_id
      and u.name_key = t.name_key and u.visibility_policy = ${VISIBILITY.muted})
    and not exists (
      select from muted_users o where o.organization_id = $1 and o.user_id = $2 and o.muted_user_id = m.sender_id)
  group by t.id, t.channel_id, t.name
  order by people desc, messages desc, t.id limit ${MAX_BUSY_TOPICS}`

export async function busyTopics(
  db: Db,
  organizationId: number,
  userId: number,
  channels: readonly { readonly channelId: number; readonly start: number }[],
  { since, position }: Pick<DigestWeek, 'since' | 'position'>,
): Promise<BusyTopic[]> {
  if (channels.length === 0) return []
  return db.rows('busy_topics', BUSIEST_TOPICS, [
    organizationId,
    userId,
    channels.map(({ channelId }) => channelId),
    channels.map(({ start }) => start),
    since,
    position,
  ])
}
