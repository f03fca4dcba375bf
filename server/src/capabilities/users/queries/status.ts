import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Projection, OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type * as contract from '../contract/status.ts'
import { withoutEmptyFields, type Status } from '../contract/status.ts'
import { usersProjection } from './index.ts'
import { requireVisibleUser, viewingMember, visibleUser } from '../rules/visibility.ts'

export interface StoredStatus {
  readonly status_text: string
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: NonNullable<Status['reaction_type']>
}

export const NO_STATUS: StoredStatus = {
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
}

interface StatusesState {
  readonly byUser: Map<number, StoredStatus>
}

export const statusesProjection: Projection<StatusesState, StoredStatus & { readonly userId: number }> = {
  name: 'statuses',
  takesRights: () => false,
  empty: () => ({ byUser: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('user_statuses')
      .select(['user_id as userId', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'])
      .where('organization_id', '=', organizationId)
      .orderBy('user_id')
      .execute()
    // Safe: only this capability's actions write the value, and they check the emoji's type.
    for (const row of rows as (StoredStatus & { userId: number })[]) statusesProjection.apply(state, row, 0)
  },
  apply({ byUser }, { userId, ...status }) {
    if (status.status_text === '' && status.emoji_name === '') byUser.delete(userId)
    else byUser.set(userId, status)
  },
}

export function storedStatus(organization: OrganizationState, userId: number): StoredStatus {
  return organization.of(statusesProjection).byUser.get(userId) ?? NO_STATUS
}

export function statusOf(organization: OrganizationState, userId: number): Status {
  return withoutEmptyFields({
    away: organization.of(usersProjection).away.has(userId),
    ...storedStatus(organization, userId),
  })
}

export function idsWithStatus(organization: OrganizationState): Set<number> {
  return new Set([...organization.of(statusesProjection).byUser.keys(), ...organization.of(usersProjection).away])
}

export function userStatusesSnapshot(viewer: Viewer): Record<string, unknown> {
  const { organization } = viewer
  const shown = [...idsWithStatus(organization)].filter(
    (userId) => visibleUser(organization, viewingMember(viewer), userId) !== undefined,
  )
  return { user_status: Object.fromEntries(shown.map((userId) => [userId, statusOf(organization, userId)])) }
}

export function getUserStatus(
  { organization, actor }: Reader,
  { user_id }: Input<typeof contract.getUserStatus>,
): Output<typeof contract.getUserStatus> {
  return { status: statusOf(organization, requireVisibleUser(organization, actor, user_id).id) }
}
