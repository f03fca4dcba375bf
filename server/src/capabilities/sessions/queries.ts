import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '../../kernel/endpoint.ts'
import { changesOf, type OrganizationState, type Projection, type RecordedChange } from '../../kernel/projection.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'

export interface SessionState {
  readonly userId: number
  /** SHA-256 of the secret as a Latin-1 string, which takes half the memory of a buffer. */
  readonly digest: string
  readonly usedAt: number
}

type SessionChange =
  | { readonly begun: number; readonly userId: number; readonly digest: string; readonly usedAt: number }
  | { readonly ended: readonly number[]; readonly userId: number }
  | { readonly used: readonly number[]; readonly usedAt: number }

export const sessionsProjection: Projection<Map<number, SessionState>, SessionChange> = {
  name: 'sessions',
  takesRights: (_, change) => 'ended' in change,
  empty: () => new Map(),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('sessions')
      .select([
        sql<number[]>`array_agg(id order by id)`.as('ids'),
        sql<number[]>`array_agg(user_id order by id)`.as('userIds'),
        sql<number[]>`array_agg(used_at order by id)`.as('usedAt'),
        sql<Buffer>`string_agg(digest, '' order by id)`.as('digests'),
      ])
      .where('organization_id', '=', organizationId)
      .groupBy('organization_id')
      .execute()
    for (const { ids, userIds, usedAt, digests } of rows) {
      for (const [index, id] of ids.entries()) {
        state.set(id, {
          userId: userIds[index] ?? 0,
          digest: digests.toString('latin1', index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES),
          usedAt: usedAt[index] ?? 0,
        })
      }
    }
  },
  apply(state, change) {
    if ('begun' in change) {
      const { begun, userId, digest, usedAt } = change
      state.set(begun, { userId, digest: Buffer.from(digest, 'hex').toString('latin1'), usedAt })
    } else if ('ended' in change) {
      for (const id of change.ended) state.delete(id)
    } else {
      for (const id of change.used) {
        const session = state.get(id)
        if (session !== undefined) state.set(id, { ...session, usedAt: Math.max(session.usedAt, change.usedAt) })
      }
    }
  },
}

export function sessionsEndedBy(
  changes: readonly RecordedChange[],
): readonly { readonly userId: number; readonly ended: readonly number[] }[] {
  return changesOf(sessionsProjection, changes).filter((change) => 'ended' in change)
}

export const DIGEST_BYTES = 32

/** Hashes a secret or token. The database stores only this digest. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

export function isValidSession(organization: OrganizationState, sessionId: number): boolean {
  return organization.of(sessionsProjection).has(sessionId)
}

const OWN_SESSIONS = `
  select id, device, created_at, used_at as last_used_at from sessions
  where organization_id = $1 and user_id = $2 order by used_at desc, id desc`

export async function getSessions({ db, organizationId, actor }: Reader): Promise<Output<typeof contract.getSessions>> {
  const rows = await db.rows<{ id: number; device: string; created_at: number; last_used_at: number }>(
    'own_sessions',
    OWN_SESSIONS,
    [organizationId, actor.userId],
  )
  return { sessions: rows.map((row) => ({ ...row, is_current: row.id === actor.sessionId })) }
}

const CONFIRMED_AT = `
  select greatest(created_at, confirmed_at) as at from sessions where organization_id = $1 and id = $2`

/** Returns the UNIX seconds of the last sign-in or confirmation; 0 if the session has ended. */
export async function confirmedAt(db: Db, organizationId: number, sessionId: number): Promise<number> {
  const [row] = await db.rows<{ at: number }>('session_confirmed', CONFIRMED_AT, [organizationId, sessionId])
  return row?.at ?? 0
}

const LOGIN_LINK = `
  select user_id as "userId" from login_links where organization_id = $1 and digest = $2 and expires_at > $3`

/** Returns undefined for tokens that are unknown, used, expired, or another organization's. */
export async function userOfLoginLink(
  db: Db,
  organizationId: number,
  digest: Buffer,
  now: number,
): Promise<number | undefined> {
  const [link] = await db.rows<{ userId: number }>('login_link', LOGIN_LINK, [organizationId, digest, now])
  return link?.userId
}

const DAY_SECONDS = 86_400

const sessionUsesByOrganization = new WeakMap<OrganizationState, Map<number, number>>()

export function unwrittenSessionUses(organization: OrganizationState): Map<number, number> {
  let uses = sessionUsesByOrganization.get(organization)
  if (uses === undefined) {
    uses = new Map()
    sessionUsesByOrganization.set(organization, uses)
  }
  return uses
}

/** Records one use of a session per day, which `writeSessionUses` stores. Returns whether this use was recorded. */
export function recordSessionUse(organization: OrganizationState, sessionId: number): boolean {
  const now = Math.floor(Date.now() / 1000)
  const session = organization.of(sessionsProjection).get(sessionId)
  if (session === undefined || now - session.usedAt < DAY_SECONDS) return false
  const uses = unwrittenSessionUses(organization)
  if (uses.has(sessionId)) return false
  uses.set(sessionId, now)
  return true
}

export const SESSIONS_ENDED_PER_TRANSACTION = 100

const ORGANIZATIONS_WITH_EXPIRED_SESSIONS = `
  select organization_id as "organizationId", min(id) as id from sessions where used_at <= $1 group by organization_id
  union
  select organization_id, 0 from login_links where expires_at <= $2 group by organization_id
  limit 100`

export async function organizationsWithExpiredSessions(db: Db, unusedSince: number, now: number) {
  return db.rows<{ organizationId: number; id: number }>('expired_sessions', ORGANIZATIONS_WITH_EXPIRED_SESSIONS, [
    unusedSince,
    now,
  ])
}
