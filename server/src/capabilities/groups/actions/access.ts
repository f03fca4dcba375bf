import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { GroupPermission } from '../contract/permissions.ts'
import { knownGroup, type Group } from '../queries.ts'
import { isCovered, type Member } from '../rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'

export function mayCreate(organization: OrganizationState, member: Member): boolean {
  return isCovered(organization, member, groupSetting(organization, 'can_create_groups'))
}

export function mayManage(organization: OrganizationState, member: Member, group: Group): boolean {
  if (group.isSystemGroup) return false
  return (
    isCovered(organization, member, groupSetting(organization, 'can_manage_all_groups')) ||
    hasPermission(organization, member, group, 'can_manage_group')
  )
}

export function mayAddMembers(organization: OrganizationState, member: Member, group: Group): boolean {
  return mayManage(organization, member, group) || hasPermission(organization, member, group, 'can_add_members_group')
}

export function mayJoin(organization: OrganizationState, member: Member, group: Group): boolean {
  return mayAddMembers(organization, member, group) || hasPermission(organization, member, group, 'can_join_group')
}

export function mayRemoveMembers(organization: OrganizationState, member: Member, group: Group): boolean {
  return (
    mayManage(organization, member, group) || hasPermission(organization, member, group, 'can_remove_members_group')
  )
}

export function mayLeave(organization: OrganizationState, member: Member, group: Group): boolean {
  return mayRemoveMembers(organization, member, group) || hasPermission(organization, member, group, 'can_leave_group')
}

function hasPermission(
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
  requirePermission(mayManage(tx.organization, tx.actor, group))
  return group
}

export function requireActive(group: Group): void {
  if (group.deactivated) throw new ApiError('BAD_REQUEST', 'User group is deactivated.')
}

export function requirePermission(granted: boolean): void {
  if (!granted) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
}
