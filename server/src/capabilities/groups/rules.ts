import { ROLE, type Role } from '../../kernel/actor.ts'
import type { World } from '../../kernel/fold.ts'
import type { GroupSettingValue } from './contract/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { PermissionSetting, SystemGroupName } from './contract/permissions.ts'
import { groupsFold, type Group, type GroupsState } from './queries.ts'

/** Whoever a permission is asked for. */
export interface Member {
  readonly userId: number
  readonly role: Role
}

/** The lowest privilege that belongs to each system group; undefined for the group nobody is in. */
const ROLE_AT_MOST: Readonly<Record<SystemGroupName, number | undefined>> = {
  'role:nobody': undefined,
  'role:owners': ROLE.owner,
  'role:administrators': ROLE.administrator,
  'role:moderators': ROLE.moderator,
  'role:fullmembers': ROLE.member,
  'role:members': ROLE.member,
  'role:everyone': ROLE.guest,
  'role:internet': ROLE.guest,
}

/** Whether the setting's value covers the member, through any nesting of groups. */
export function isCovered(world: World, member: Member, value: GroupSettingValue): boolean {
  const groups = world.of(groupsFold)
  if (typeof value === 'number') return isInGroup(groups, member, value, new Set())
  if (value.direct_members.includes(member.userId)) return true
  return value.direct_subgroups.some((groupId) => isInGroup(groups, member, groupId, new Set()))
}

/** Whether the member may mention the group aloud. System groups are not for mentioning. */
export function mayMentionGroup(world: World, member: Member, group: Group): boolean {
  return !group.isSystemGroup && isCovered(world, member, group.permissions.can_mention_group)
}

function isInGroup(groups: GroupsState, member: Member, groupId: number, seen: Set<number>): boolean {
  const group = groups.byId.get(groupId)
  if (group === undefined || seen.has(groupId)) return false
  seen.add(groupId)
  if (group.isSystemGroup) return isInSystemGroup(group, member)
  if (group.members.has(member.userId)) return true
  return group.subgroupIds.some((subgroupId) => isInGroup(groups, member, subgroupId, seen))
}

function isInSystemGroup(group: Group, member: Member): boolean {
  // System groups are made by the server, with exactly these names.
  const roleAtMost = ROLE_AT_MOST[group.name as SystemGroupName]
  return roleAtMost !== undefined && member.role <= roleAtMost
}

/** The system groups that list users of this role as direct members. */
export function systemGroupsOfRole(role: Role): readonly SystemGroupName[] {
  switch (role) {
    case ROLE.owner:
      return ['role:owners']
    case ROLE.administrator:
      return ['role:administrators']
    case ROLE.moderator:
      return ['role:moderators']
    case ROLE.member:
      return ['role:fullmembers', 'role:members']
    case ROLE.guest:
      return ['role:everyone']
  }
}

/**
 * A permission setting's value as given, or the default for who makes the thing the permission belongs to. An
 * anonymous group that is nothing but another group is that group. Who its members are is for `users` to check.
 * @throws Refusal BAD_REQUEST when it names groups that do not exist or that the setting does not allow
 */
export function checkedGroups(
  world: World,
  name: string,
  permission: PermissionSetting,
  wanted: GroupSettingValue | undefined,
  creatorId: number | undefined,
): GroupSettingValue {
  if (wanted === undefined) return defaultSetting(world, permission, creatorId)
  const given = simplest(world, wanted)
  const groups = world.of(groupsFold)
  const named = typeof given === 'number' ? [given] : given.direct_subgroups
  for (const groupId of named) {
    const group = groups.byId.get(groupId)
    if (group === undefined || group.deactivated) throw new Refusal('BAD_REQUEST', `Invalid user group ID: ${groupId}`)
    if (group.isSystemGroup && !allowsSystemGroup(permission, group.name)) {
      throw new Refusal('BAD_REQUEST', `'${name}' setting cannot be set to '${group.name}' group.`)
    }
  }
  return given
}

function simplest(world: World, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const [direct_members, direct_subgroups] = [unique(value.direct_members), unique(value.direct_subgroups)]
  if (direct_members.length > 0 || direct_subgroups.length > 1) return { direct_members, direct_subgroups }
  return direct_subgroups[0] ?? systemGroupId(world, 'role:nobody')
}

function defaultSetting(world: World, permission: PermissionSetting, creatorId: number | undefined): GroupSettingValue {
  const name = permission.default_group_name
  if (name !== 'group_creator' && name !== 'stream_creator_or_nobody') return systemGroupId(world, name)
  return creatorId === undefined
    ? systemGroupId(world, 'role:nobody')
    : { direct_members: [creatorId], direct_subgroups: [] }
}

function allowsSystemGroup(permission: PermissionSetting, name: string): boolean {
  if (permission.allowed_system_groups.length > 0)
    return permission.allowed_system_groups.some((group) => group === name)
  if (name === 'role:internet') return permission.allow_internet_group
  if (name === 'role:nobody') return permission.allow_nobody_group
  if (name === 'role:everyone') return permission.allow_everyone_group
  return true
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

/** The id of a system group. */
export function systemGroupId(world: World, name: SystemGroupName): number {
  const group = world.of(groupsFold).byName.get(name)
  if (group === undefined) throw new Error(`the organization has no group ${name}`)
  return group.id
}
