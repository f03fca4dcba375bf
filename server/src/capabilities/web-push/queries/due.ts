import type { Db } from '../../../kernel/transaction.ts'
import type { DueJob } from '../../../platform/jobs/pieces.ts'
import { hostSql, fairPageSql, type ConcurrencyLimits } from '../../../platform/jobs/concurrency-limits.ts'
import { unreadSql } from '../../flags/queries/unread.ts'
import type { DeviceKeys } from '../rules/cryptography.ts'

export const CONCURRENCY_LIMITS: ConcurrencyLimits = {
  maxUnits: 96,
  maxUnitsPerOrganization: 24,
  // High, because nearly all devices of an organization may use the same push service.
  maxUnitsPerHost: 18,
  maxUnitsPerPerson: 6,
  maxUnitsPerPersonAndHost: 3,
}

export interface DuePush {
  readonly id: number
  readonly subscriptionId: number
  readonly topicId: number
  readonly messageId: number
  readonly shownId: number | null
  readonly attempts: number
  readonly userId: number
  readonly endpoint: string
  readonly keys: DeviceKeys
  readonly allowsSilent: boolean
}

const DUE_PUSHES = fairPageSql(
  `select n.organization_id, n.id, n.due_at, s.user_id as person, ${hostSql('s.endpoint')} as host
   from push_notifications n
   join push_subscriptions s on s.organization_id = n.organization_id and s.id = n.subscription_id
   join organization_settings o on o.organization_id = n.organization_id and not o.deactivated
   where n.due_at <= $1 and n.begun_until <= $1`,
  CONCURRENCY_LIMITS,
)

export async function duePushes(db: Db, now: number, full: readonly string[]): Promise<DueJob[]> {
  return db.rows<DueJob>('due_pushes', DUE_PUSHES, [now, full])
}

const DUE_PUSH = `
  select n.id, n.subscription_id as "subscriptionId", n.topic_id as "topicId", n.message_id as "messageId",
    n.shown_id as "shownId", n.attempts, s.user_id as "userId", s.endpoint, s.p256dh, s.auth,
    s.allows_silent as "allowsSilent"
  from push_notifications n
  join push_subscriptions s on s.organization_id = n.organization_id and s.id = n.subscription_id
  where n.organization_id = $1 and n.id = $2 and n.due_at <= $3 and n.begun_until <= $3`

export async function duePush(db: Db, organizationId: number, id: number, now: number): Promise<DuePush | undefined> {
  const [row] = await db.rows<Omit<DuePush, 'keys'> & DeviceKeys>('due_push', DUE_PUSH, [organizationId, id, now])
  if (row === undefined) return undefined
  const { p256dh, auth, ...push } = row
  return { ...push, keys: { p256dh, auth } }
}

const UNREAD_AMONG = `
  select m.id from messages m where m.organization_id = $1 and m.id = any($3::bigint[]) and ${unreadSql({ message: 'm' })}`

/** Returns which messages are unread, except messages that the user did not receive or can no longer read. */
export async function unreadAmong(
  db: Db,
  organizationId: number,
  userId: number,
  messageIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db.rows<{ id: number }>('unread_among', UNREAD_AMONG, [organizationId, userId, messageIds])
  return new Set(rows.map(({ id }) => id))
}

const PAUSED_UNTIL = `
  select value from preferences where organization_id = $1 and user_id = $2 and name = 'web.pausedUntil'`

/** Returns the UNIX seconds until which the user has paused notifications, from a preference of the web client. */
export async function pausedUntil(db: Db, organizationId: number, userId: number): Promise<number> {
  const [row] = await db.rows<{ value: string }>('paused_until', PAUSED_UNTIL, [organizationId, userId])
  const seconds = Number(row?.value ?? 0)
  return Number.isFinite(seconds) ? seconds : 0
}
