import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { cachedFields, ComposedResponse } from '../../../platform/answers/composed.ts'
import type { SnapshotContext } from '../../../platform/server-facts.ts'
import type { Member } from '../../groups/rules.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import { knownUser, visibleUserByEmail } from '../../users/rules/index.ts'
import { visibleUser, isLimitedGuest } from '../../users/rules/visibility.ts'
import { PRESENCE_HISTORY_DAYS, type LegacyPresence, type ModernPresence, type Presences } from '../contract.ts'
import type * as contract from '../contract.ts'
import { canSeePresence } from '../rules.ts'

export interface StoredPresence {
  readonly userId: number
  readonly activeAt: number
  readonly idleAt: number
  readonly updateId: number
}

const PRESENCE_COLUMNS = `user_id as "userId", active_at as "activeAt", idle_at as "idleAt", update_id as "updateId"`

const PRESENCES_SINCE = `
  select ${PRESENCE_COLUMNS} from presences
  where organization_id = $1 and update_id > $2 and idle_at >= $3 order by user_id`

const PRESENCE_OF_USER = `select ${PRESENCE_COLUMNS} from presences where organization_id = $1 and user_id = $2`

const DAY_SECONDS = 86_400

export function daysAgo(days: number, now: number): number {
  return Math.max(0, now - days * DAY_SECONDS)
}

export async function presencesSince(
  db: Db,
  organizationId: number,
  updateId: number,
  since: number,
): Promise<StoredPresence[]> {
  return db.rows<StoredPresence>('presences_since', PRESENCES_SINCE, [organizationId, updateId, since])
}

export async function presenceOf(db: Db, organizationId: number, userId: number): Promise<StoredPresence | undefined> {
  const [row] = await db.rows<StoredPresence>('presence', PRESENCE_OF_USER, [organizationId, userId])
  return row
}

export const AWAY_AFTER_SECONDS = 140

export async function activeUsersAmong(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  const rows = await db.rows<{ userId: number }>(
    'active_among',
    `select user_id as "userId" from presences
     where organization_id = $1 and user_id = any($2::bigint[]) and active_at >= $3`,
    [organizationId, userIds, now - AWAY_AFTER_SECONDS],
  )
  return new Set(rows.map(({ userId }) => userId))
}

/** Returns the ID of the newest update that the client will have: the newest row's, or `named` if no row is newer. */
export function lastUpdateIdOf(rows: readonly StoredPresence[], named = -1): number {
  return rows.reduce((last, row) => Math.max(last, row.updateId), named)
}

/** Returns presences by user ID or, in the legacy form, by API email. */
export function presentPresences(
  organization: OrganizationState,
  viewer: Member,
  rows: readonly StoredPresence[],
  form: 'modern' | 'legacy',
): Presences {
  return Object.fromEntries(
    rows.flatMap((row): [string, ModernPresence | LegacyPresence][] => {
      const user = userById(organization, row.userId)
      if (user === undefined || !canSeePresence(organization, viewer, user)) return []
      return form === 'modern'
        ? [[String(user.id), presentModernPresence(row)]]
        : [[user.email, presentLegacyPresence(row)]]
    }),
  )
}

export function presentModernPresence({
  activeAt,
  idleAt,
}: Pick<StoredPresence, 'activeAt' | 'idleAt'>): ModernPresence {
  return { active_timestamp: activeAt, idle_timestamp: idleAt }
}

/** Users active this long before their last report still count as active: clients report only once a minute. */
const ACTIVE_BEFORE_IDLE_SECONDS = 70
const LEGACY_CLIENT = 'website'

function statusOf({ active_timestamp: active, idle_timestamp: idle }: ModernPresence): {
  status: 'active' | 'idle'
  timestamp: number
} {
  return active + ACTIVE_BEFORE_IDLE_SECONDS >= idle
    ? { status: 'active', timestamp: active }
    : { status: 'idle', timestamp: idle }
}

function legacyPresenceOf(presence: ModernPresence): LegacyPresence {
  return { [LEGACY_CLIENT]: { client: LEGACY_CLIENT, ...statusOf(presence), pushable: false } }
}

function presentLegacyPresence(row: StoredPresence): LegacyPresence {
  const presence = presentModernPresence(row)
  return { ...legacyPresenceOf(presence), aggregated: { client: LEGACY_CLIENT, ...statusOf(presence) } }
}

export async function getPresence(reader: Reader): Promise<Output<typeof contract.getPresence>> {
  const { organization, actor, db, organizationId, now } = reader
  const rows = await presencesSince(db, organizationId, -1, daysAgo(PRESENCE_HISTORY_DAYS, now))
  // Safe: every value has the legacy form that was requested.
  const shown = presentPresences(organization, actor, rows, 'legacy') as Record<string, LegacyPresence>
  return { server_timestamp: now, presences: shown }
}

export async function getUserPresence(
  { organization, actor, db, organizationId }: Reader,
  { user_id_or_email: named }: Input<typeof contract.getUserPresence>,
): Promise<Output<typeof contract.getUserPresence>> {
  const user = userByIdOrEmail(organization, actor, named)
  if (user === undefined) throw new ApiError('BAD_REQUEST', 'No such user')
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Presence is not supported for bot users.')
  const row = canSeePresence(organization, actor, user) ? await presenceOf(db, organizationId, user.id) : undefined
  if (row === undefined) throw new ApiError('BAD_REQUEST', `No presence data for ${named}`)
  const shown = statusOf(presentModernPresence(row))
  return { presence: { [LEGACY_CLIENT]: shown, aggregated: shown } }
}

function userByIdOrEmail(organization: OrganizationState, viewer: Member, named: string): UserRow | undefined {
  return /^\d{1,15}$/.test(named)
    ? visibleUser(organization, viewer, Number(named))
    : visibleUserByEmail(organization, viewer, named)
}

export function isPresenceWanted(event: LoggedEvent, { organization, userId }: Viewer): boolean {
  const whose = userById(organization, presenceIn(event).userId)
  return whose !== undefined && canSeePresence(organization, memberOf(organization, userId), whose)
}

export function presenceChangedToClient(
  event: LoggedEvent,
  { organization, form }: Viewer,
): Readonly<Record<string, unknown>> {
  if (form.capabilities.simplified_presence_events) return event.payload
  const { userId, modern } = presenceIn(event)
  return {
    user_id: userId,
    ...(form.slimPresence ? {} : { email: knownUser(organization, userId).email }),
    server_timestamp: modern.idle_timestamp,
    presence: legacyPresenceOf(modern),
  }
}

function presenceIn({ payload }: LoggedEvent): { userId: number; modern: ModernPresence } {
  // Safe: only this capability's action publishes this event, for one person.
  const [[key, modern] = []] = Object.entries(payload['presences'] as Record<string, ModernPresence>)
  if (key === undefined || modern === undefined) throw new Error('a presence event has a user')
  return { userId: Number(key), modern }
}

function memberOf(organization: OrganizationState, userId: number): Member {
  return { userId, role: knownUser(organization, userId).role }
}

class PresenceCache {
  version = 0
  readonly byUser = new Map<number, StoredPresence>()
  #lastUpdate = -1

  /** Reads updates newer than the last known update. Finds none if the transaction is older than that update. */
  async read(db: Db, organizationId: number): Promise<void> {
    for (const row of await presencesSince(db, organizationId, this.#lastUpdate, 0)) {
      const before = this.byUser.get(row.userId)?.updateId ?? -1
      if (row.updateId <= before) continue
      this.byUser.set(row.userId, row)
      this.#lastUpdate = Math.max(this.#lastUpdate, row.updateId)
      this.version += 1
    }
  }
}

const cachesByOrganization = new WeakMap<OrganizationState, PresenceCache>()

async function presenceRowsSince(
  db: Db,
  organization: OrganizationState,
  since: number,
): Promise<{ rows: StoredPresence[]; state: string }> {
  const known = cachesByOrganization.get(organization) ?? new PresenceCache()
  cachesByOrganization.set(organization, known)
  await known.read(db, organization.id)
  const rows = [...known.byUser.values()].filter(({ idleAt }) => idleAt >= since)
  // Until the version changes, only the oldest presences drop out, so version and row count identify the result.
  return { rows, state: `${known.version} ${rows.length}` }
}

export async function presencesSnapshot(
  db: Db,
  { organization, userId, form }: Viewer,
  { now, presenceHistoryDays }: SnapshotContext,
): Promise<ComposedResponse> {
  const { rows, state } = await presenceRowsSince(db, organization, daysAgo(presenceHistoryDays, now))
  const member = memberOf(organization, userId)
  const shape = form.slimPresence ? 'modern' : 'legacy'
  const key = isLimitedGuest(organization, member) ? undefined : shape
  const presences = cachedFields(organization, presentPresences, { key, state }, (projections) => ({
    presences: presentPresences(projections, member, rows, shape),
  }))
  return new ComposedResponse([{ presence_last_update_id: lastUpdateIdOf(rows), server_timestamp: now }], [presences])
}
