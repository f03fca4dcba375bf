import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { GroupPermission } from '../contract/permissions.ts'
import { knownGroup, type Group } from '../queries.ts'
import { isCovered, type Member } from '../rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'

export function mayCreateGroup(organization: OrganizationState, member: Member): boolean {
  return isCovered(organization, member, groupSetting(organization, 'can_create_groups'))
}

export function mayManageGroup(organization: OrganizationState, member: Member, group: Group): boolean {
  if (group.isSystemGroup) return false
  return (
    isCovered(organization, member, groupSetting(organization, 'can_manage_all_groups')) ||
    hasGroupPermission(organization, member, group, 'can_manage_group')
  )
}

export function mayAddGroupMembers(organization: OrganizationState, member: Member, group: Group): boolean {
  return (
    mayManageGroup(organization, member, group) ||
    hasGroupPermission(organization, member, group, 'can_add_members_group')
  )
}

export function mayJoinGroup(organization: OrganizationState, member: Member, group: Group): boolean {
  return (
    mayAddGroupMembers(organization, member, group) || hasGroupPermission(organization, member, group, 'can_join_group')
  )
}

export function mayRemoveGroupMembers(organization: OrganizationState, member: Member, group: Group): boolean {
  return (
    mayManageGroup(organization, member, group) ||
    hasGroupPermission(organization, member, group, 'can_remove_members_group')
  )
}

export function mayLeaveGroup(organization: OrganizationState, member: Member, group: Group): boolean {
  return (
    mayRemoveGroupMembers(organization, member, group) ||
    hasGroupPermission(organization, member, group, 'can_leave_group')
  )
}

function hasGroupPermission(
  organization: OrganizationState,
  member: Member,
  group: Group,
  permission: GroupPermission,
): boolean {
  return !group.isSystemGroup && isCovered(organization, member, group.permissions[permission])
}

/** @throws ApiError if the actor cannot manage the group */
export function managedGroup(tx: ActorTx, groupId: number): Group {
  const group = knownGroup(tx.organization, groupId)
  requirePermission(mayManageGroup(tx.organization, tx.actor, group))
  return group
}

export function requireActive(group: Group): void {
  if (group.deactivated) throw new ApiError('BAD_REQUEST', 'User group is deactivated.')
}

export function requirePermission(granted: boolean): void {
  if (!granted) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
}
