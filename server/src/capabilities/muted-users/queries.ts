import type { Audience } from '../../kernel/audience.ts'
import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { userById } from '../users/queries/index.ts'
import type { MutedUser } from './contract.ts'
import { canBeBlocked } from './rules.ts'

export interface StoredMute extends MutedUser {
  /** Log position at which the block began; absent if the user is only muted. */
  readonly blockedSince?: number
}

interface MutedUsersState {
  /** Muted users by the user who muted them, oldest mute first. Omits users who have muted no one. */
  readonly byUser: Map<number, readonly StoredMute[]>
  readonly byMuted: Map<number, Set<number>>
  /** By blocked user: those who block them, with the positions at which the blocks began. */
  readonly byBlocked: Map<number, Map<number, number>>
}

interface MutedUsersChange {
  readonly userId: number
  readonly muted: readonly StoredMute[]
}

export const mutedUsersProjection: Projection<MutedUsersState, MutedUsersChange> = {
  name: 'muted-users',
  takesRights: ({ byBlocked }, { userId, muted }) =>
    muted.some(({ id, blockedSince }) => blockedSince !== undefined && byBlocked.get(id)?.has(userId) !== true),
  empty: () => ({ byUser: new Map(), byMuted: new Map(), byBlocked: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('muted_users')
      .select(['user_id', 'muted_user_id', 'date_muted', 'blocked_since'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const lists = new Map<number, StoredMute[]>()
    for (const row of rows) {
      const since = row.blocked_since === null ? {} : { blockedSince: row.blocked_since }
      const one = { id: row.muted_user_id, timestamp: row.date_muted, ...since }
      const muted = lists.get(row.user_id)
      if (muted === undefined) lists.set(row.user_id, [one])
      else muted.push(one)
    }
    for (const [userId, muted] of lists) mutedUsersProjection.apply(state, { userId, muted }, 0)
  },
  apply({ byUser, byMuted, byBlocked }, { userId, muted }) {
    for (const { id } of byUser.get(userId) ?? []) {
      for (const users of [byMuted, byBlocked]) {
        const known = users.get(id)
        known?.delete(userId)
        if (known?.size === 0) users.delete(id)
      }
    }
    for (const { id, blockedSince } of muted) {
      byMuted.set(id, (byMuted.get(id) ?? new Set()).add(userId))
      if (blockedSince !== undefined)
        byBlocked.set(id, (byBlocked.get(id) ?? new Map<number, number>()).set(userId, blockedSince))
    }
    if (muted.length === 0) byUser.delete(userId)
    else byUser.set(userId, muted)
  },
}

export function storedMutesOf(organization: OrganizationState, userId: number): readonly StoredMute[] {
  return organization.of(mutedUsersProjection).byUser.get(userId) ?? []
}

export function toMutedUsers(mutes: readonly StoredMute[]): MutedUser[] {
  return mutes.map(({ id, timestamp }) => ({ id, timestamp }))
}

export function blockedAmong(mutes: readonly StoredMute[]): number[] {
  return mutes.flatMap(({ id, blockedSince }) => (blockedSince === undefined ? [] : [id]))
}

export function mutedUsersOf(organization: OrganizationState, userId: number): MutedUser[] {
  return toMutedUsers(storedMutesOf(organization, userId))
}

export function blockedUsersOf(organization: OrganizationState, userId: number): number[] {
  return blockedAmong(storedMutesOf(organization, userId))
}

const NO_USERS: ReadonlySet<number> = new Set()

export function usersMuting(organization: OrganizationState, userId: number): ReadonlySet<number> {
  return organization.of(mutedUsersProjection).byMuted.get(userId) ?? NO_USERS
}

const NO_BLOCKERS: ReadonlyMap<number, number> = new Map()

/** Returns users who block an account or, for a bot, its owner, with the positions at which the blocks began. */
export function usersBlocking(organization: OrganizationState, userId: number): ReadonlyMap<number, number> {
  const { byBlocked } = organization.of(mutedUsersProjection)
  // Called for every message, and most organizations have no blocks.
  if (byBlocked.size === 0) return NO_BLOCKERS
  const found = new Map<number, number>()
  for (const id of [userById(organization, userId)?.botOwnerId ?? userId, userId]) {
    const sender = userById(organization, id)
    if (sender === undefined || !canBeBlocked(sender)) continue
    for (const [blocker, since] of byBlocked.get(id) ?? []) found.set(blocker, since)
  }
  return found
}

/** Whether nothing that an account sends directly may reach the reader. */
export function isBlockedFor(organization: OrganizationState, readerId: number, userId: number): boolean {
  return usersBlocking(organization, userId).has(readerId)
}

/** The audience of what an account does, without those who block it. */
export function withoutBlockers(organization: OrganizationState, userId: number, audience: Audience): Audience {
  const blockers = usersBlocking(organization, userId)
  return blockers.size === 0 ? audience : { ...audience, except: [...(audience.except ?? []), ...blockers.keys()] }
}

export function mutedUsersSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { muted_users: mutedUsersOf(organization, userId) }
}

export function blockedUsersSnapshot({ organization, userId, form }: Viewer): Record<string, unknown> {
  return form.capabilities.blocked_users ? { blocked_users: blockedUsersOf(organization, userId) } : {}
}
