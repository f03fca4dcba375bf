import { sql } from 'kysely'
import type { OrganizationState, Projection } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { QuietHours } from '../contract.ts'
import type { ServerKeys } from '../rules/cryptography.ts'

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

export function devicesOf(organization: OrganizationState, userId: number): number {
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
