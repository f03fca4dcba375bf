import type { World } from '../../kernel/fold.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { GroupPermission } from '../groups/contract/permissions.ts'
import type { Group } from '../groups/queries.ts'
import { isCovered, knownGroup, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries.ts'

export function mayCreate(world: World, member: Member): boolean {
  return isCovered(world, member, groupSetting(world, 'can_create_groups'))
}

/** Whether the member may rename the group, change its settings, deactivate it, and everything below. */
export function mayManage(world: World, member: Member, group: Group): boolean {
  if (group.isSystemGroup) return false
  return (
    isCovered(world, member, groupSetting(world, 'can_manage_all_groups')) ||
    holds(world, member, group, 'can_manage_group')
  )
}

export function mayAddMembers(world: World, member: Member, group: Group): boolean {
  return mayManage(world, member, group) || holds(world, member, group, 'can_add_members_group')
}

export function mayJoin(world: World, member: Member, group: Group): boolean {
  return mayAddMembers(world, member, group) || holds(world, member, group, 'can_join_group')
}

export function mayRemoveMembers(world: World, member: Member, group: Group): boolean {
  return mayManage(world, member, group) || holds(world, member, group, 'can_remove_members_group')
}

export function mayLeave(world: World, member: Member, group: Group): boolean {
  return mayRemoveMembers(world, member, group) || holds(world, member, group, 'can_leave_group')
}

/** Nobody changes the groups that stand for roles. */
function holds(world: World, member: Member, group: Group, permission: GroupPermission): boolean {
  return !group.isSystemGroup && isCovered(world, member, group.permissions[permission])
}

/** The group an id names, for somebody who may manage it. */
export function managedGroup(tx: ActorTx, groupId: number): Group {
  const group = knownGroup(tx.world, groupId)
  requirePermission(mayManage(tx.world, tx.actor, group))
  return group
}

export function requireActive(group: Group): void {
  if (group.deactivated) throw new Refusal('BAD_REQUEST', 'User group is deactivated.')
}

export function requirePermission(granted: boolean): void {
  if (!granted) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
}
