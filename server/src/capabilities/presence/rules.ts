import type { OrganizationState } from '../../kernel/projection.ts'
import type { Member } from '../groups/rules.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { userSetting, type UserRow } from '../users/queries/index.ts'
import { canSeeUser } from '../users/rules/visibility.ts'

export function hasPresence(organization: OrganizationState, user: UserRow): boolean {
  if (!user.isActive || user.botType !== null || settingOf(organization, 'presence_disabled')) return false
  return userSetting(user, 'presence_enabled')
}

export function canSeePresence(organization: OrganizationState, viewer: Member, user: UserRow): boolean {
  return hasPresence(organization, user) && canSeeUser(organization, viewer, user)
}
