import { sql } from 'kysely'
import type { OrganizationState, Projection } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { QuietHours } from './contract.ts'
import type { ServerKeys, DeviceKeys } from './rules/cryptography.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { hostSql, fairPageSql, type ConcurrencyLimits } from '../../platform/jobs/concurrency-limits.ts'
import { unreadSql } from '../flags/queries/unread.ts'

interface WebPushState {
  readonly devices: Map<number, number>
  readonly shownTo: Set<number>
}

interface WebPushChange {
  readonly userId: number
  readonly devices: number
  readonly isShown: boolean
}

export const webPushProjection: Projection<WebPushState, WebPushChange> = {
  name: 'web-push',
  takesRights: () => false,
  empty: () => ({ devices: new Map(), shownTo: new Set() }),
  async load(state, db, organizationId) {
    const { rows } = await sql<WebPushChange>`
      select s.user_id as "userId", count(distinct s.id)::int as devices, bool_or(n.shown_id is not null) as "isShown"
      from push_subscriptions s
      left join push_notifications n on n.organization_id = s.organization_id and n.subscription_id = s.id
      where s.organization_id = ${organizationId} group by s.user_id`.execute(db)
    for (const row of rows) webPushProjection.apply(state, row, 0)
  },
  apply(state, { userId, devices, isShown }) {
    if (devices === 0) state.devices.delete(userId)
    else state.devices.set(userId, devices)
    if (isShown) state.shownTo.add(userId)
    else state.shownTo.delete(userId)
  },
}

const PUSH_STATE = `
  select count(distinct s.id)::int as devices, coalesce(bool_or(n.shown_id is not null), false) as "isShown"
  from push_subscriptions s
  left join push_notifications n on n.organization_id = s.organization_id and n.subscription_id = s.id
  where s.organization_id = $1 and s.user_id = $2`

export async function webPushStateOf(db: Db, organizationId: number, userId: number): Promise<WebPushChange> {
  const [row] = await db.rows<Omit<WebPushChange, 'userId'>>('web_push_state', PUSH_STATE, [organizationId, userId])
  return { userId, devices: row?.devices ?? 0, isShown: row?.isShown ?? false }
}

export function deviceCountOf(organization: OrganizationState, userId: number): number {
  return organization.of(webPushProjection).devices.get(userId) ?? 0
}

const SERVER_KEYS = `
  select private_key as "privateKey", public_key as "publicKey" from web_push_keys where organization_id = $1`

/** Returns the keys that identify the organization to push services; undefined before their first use. */
export async function serverKeysOf(db: Db, organizationId: number): Promise<ServerKeys | undefined> {
  const [row] = await db.rows<ServerKeys>('web_push_keys', SERVER_KEYS, [organizationId])
  return row
}

interface OwnSubscription {
  readonly id: number
  readonly device: string
  readonly created_at: number
  readonly session_id: number | null
  readonly failure: string | null
}

const OWN_SUBSCRIPTIONS = `
  select id, device, created_at, session_id, failure from push_subscriptions
  where organization_id = $1 and user_id = $2 order by id desc`

export async function subscriptionsOf(db: Db, organizationId: number, userId: number): Promise<OwnSubscription[]> {
  return db.rows('push_subscriptions', OWN_SUBSCRIPTIONS, [organizationId, userId])
}

export interface PushSettings {
  readonly quietHours: QuietHours | null
  readonly showsContent: boolean
}

const PUSH_SETTINGS = `
  select quiet_start as start, quiet_end as end, shows_content as "showsContent" from push_settings
  where organization_id = $1 and user_id = $2`

export async function pushSettingsOf(db: Db, organizationId: number, userId: number): Promise<PushSettings> {
  const [row] = await db.rows<{ start: number | null; end: number | null; showsContent: boolean }>(
    'push_settings',
    PUSH_SETTINGS,
    [organizationId, userId],
  )
  const { start = null, end = null, showsContent = true } = row ?? {}
  return { quietHours: start === null || end === null ? null : { start, end }, showsContent }
}

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

const UNREAD_MESSAGES_AMONG = `
  select m.id from messages m where m.organization_id = $1 and m.id = any($3::bigint[]) and ${unreadSql({ message: 'm' })}`

/** Returns which messages are unread, except messages that the user did not receive or can no longer read. */
export async function unreadAmong(
  db: Db,
  organizationId: number,
  userId: number,
  messageIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db.rows<{ id: number }>('unread_among', UNREAD_MESSAGES_AMONG, [
    organizationId,
    userId,
    messageIds,
  ])
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
