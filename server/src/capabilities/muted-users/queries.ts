import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { MutedUser } from './contract.ts'

interface MutedUsersState {
  /** Muted users by the user who muted them, oldest mute first. Omits users who have muted no one. */
  readonly byUser: Map<number, readonly MutedUser[]>
  readonly byMuted: Map<number, Set<number>>
}

interface MutedUsersChange {
  readonly userId: number
  readonly muted: readonly MutedUser[]
}

export const mutedUsersProjection: Projection<MutedUsersState, MutedUsersChange> = {
  name: 'muted-users',
  takesRights: () => false,
  empty: () => ({ byUser: new Map(), byMuted: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('muted_users')
      .select(['user_id', 'muted_user_id', 'date_muted'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const lists = new Map<number, MutedUser[]>()
    for (const row of rows) {
      const one = { id: row.muted_user_id, timestamp: row.date_muted }
      const muted = lists.get(row.user_id)
      if (muted === undefined) lists.set(row.user_id, [one])
      else muted.push(one)
    }
    for (const [userId, muted] of lists) mutedUsersProjection.apply(state, { userId, muted }, 0)
  },
  apply(state, { userId, muted }) {
    for (const { id } of state.byUser.get(userId) ?? []) {
      const muters = state.byMuted.get(id)
      muters?.delete(userId)
      if (muters?.size === 0) state.byMuted.delete(id)
    }
    for (const { id } of muted) state.byMuted.set(id, (state.byMuted.get(id) ?? new Set()).add(userId))
    if (muted.length === 0) state.byUser.delete(userId)
    else state.byUser.set(userId, muted)
  },
}

export function mutedUsersOf(organization: OrganizationState, userId: number): MutedUser[] {
  return [...(organization.of(mutedUsersProjection).byUser.get(userId) ?? [])]
}

const NO_USERS: ReadonlySet<number> = new Set()

export function usersMuting(organization: OrganizationState, userId: number): ReadonlySet<number> {
  return organization.of(mutedUsersProjection).byMuted.get(userId) ?? NO_USERS
}

export function mutedUsersSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { muted_users: mutedUsersOf(organization, userId) }
}
