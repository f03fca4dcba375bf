import type { groups } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { coversCurrentUser } from './state.ts'

type Group = groups.UserGroup

export function mayCreateGroups(): boolean {
  return coversCurrentUser(store().read('realm_can_create_groups'))
}

/** Whether the user can manage the group, which implies all other permissions for the group. */
export function mayManageGroup(group: Group): boolean {
  if (group.is_system_group) return false
  return coversCurrentUser(store().read('realm_can_manage_all_groups')) || coversCurrentUser(group.can_manage_group)
}

export function mayAddMembers(group: Group): boolean {
  return mayManageGroup(group) || hasPermission(group, 'can_add_members_group')
}

export function mayRemoveMembers(group: Group): boolean {
  return mayManageGroup(group) || hasPermission(group, 'can_remove_members_group')
}

export function mayJoinGroup(group: Group): boolean {
  return mayAddMembers(group) || hasPermission(group, 'can_join_group')
}

export function mayLeaveGroup(group: Group): boolean {
  return mayRemoveMembers(group) || hasPermission(group, 'can_leave_group')
}

function hasPermission(group: Group, permission: groups.GroupPermission): boolean {
  return !group.is_system_group && coversCurrentUser(group[permission])
}
