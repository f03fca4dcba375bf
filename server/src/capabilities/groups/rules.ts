import { isDeepStrictEqual } from 'node:util'
import { isKeyOf } from '../../kernel/keys.ts'
import { ROLE, type Role, type ViewerRole } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { MAX_SETTING_MEMBERS, type GroupSettingUpdate, type GroupSettingValue } from './contract/index.ts'
import { FORBIDDEN_GROUP_BY_SETTING, type PermissionSetting, type SystemGroupName } from './contract/permissions.ts'
import {
  groupAndSubgroups,
  groupByName,
  groupsProjection,
  isActiveUser,
  presentSetting,
  type Group,
} from './queries.ts'

export interface Member {
  readonly userId: number
  readonly role: ViewerRole
}

/** Least privileged role in each system group; undefined for the group without members. */
const LOWEST_ROLE_BY_GROUP: Readonly<Record<SystemGroupName, number | undefined>> = {
  'role:nobody': undefined,
  'role:owners': ROLE.owner,
  'role:administrators': ROLE.administrator,
  'role:moderators': ROLE.moderator,
  'role:fullmembers': ROLE.member,
  'role:members': ROLE.member,
  'role:everyone': ROLE.guest,
  'role:internet': ROLE.guest,
}

export function isCovered(organization: OrganizationState, member: Member, value: GroupSettingValue): boolean {
  if (typeof value === 'number') return isInGroup(organization, member, value)
  if (value.direct_members.includes(member.userId)) return true
  return value.direct_subgroups.some((groupId) => isInGroup(organization, member, groupId))
}

/** Whether the member can mention the group and thereby notify its members. System groups do not allow this. */
export function mayMentionGroup(organization: OrganizationState, member: Member, group: Group): boolean {
  return !group.isSystemGroup && isCovered(organization, member, group.permissions.can_mention_group)
}

function isInGroup(organization: OrganizationState, member: Member, groupId: number): boolean {
  return groupAndSubgroups(organization.of(groupsProjection), groupId).some((group) =>
    group.isSystemGroup ? isInSystemGroup(group, member) : group.members.has(member.userId),
  )
}

function isInSystemGroup(group: Group, member: Member): boolean {
  const roleAtMost = isKeyOf(LOWEST_ROLE_BY_GROUP, group.name) ? LOWEST_ROLE_BY_GROUP[group.name] : undefined
  if (roleAtMost === undefined || member.role > roleAtMost) return false
  const takesTime = group.name === 'role:fullmembers' && member.role === ROLE.member
  return !takesTime || group.members.has(member.userId)
}

export function systemGroupsOfRole(role: Role, isFullMember: boolean): readonly SystemGroupName[] {
  switch (role) {
    case ROLE.owner:
      return ['role:owners']
    case ROLE.administrator:
      return ['role:administrators']
    case ROLE.moderator:
      return ['role:moderators']
    case ROLE.member:
      return isFullMember ? ['role:fullmembers', 'role:members'] : ['role:members']
    case ROLE.guest:
      return ['role:everyone']
  }
}

export function referencesGroup(value: GroupSettingValue, groupId: number): boolean {
  return typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId)
}

/** Whether the setting names the group, or a group that contains it directly or through subgroups. */
export function includesGroup(organization: OrganizationState, value: GroupSettingValue, groupId: number): boolean {
  const groups = organization.of(groupsProjection)
  const named = typeof value === 'number' ? [value] : value.direct_subgroups
  return named.some((outerId) => groupAndSubgroups(groups, outerId).some((group) => group.id === groupId))
}

export type UserTest = (userId: number) => boolean

/**
 * Returns the requested value of a permission setting, or its default. An anonymous group with a single subgroup
 * becomes that subgroup; an empty group becomes `role:nobody`. @throws ApiError SYSTEM_GROUP_REQUIRED (with
 * `setting_name`); BAD_REQUEST for missing or inactive users or groups, or for a forbidden system group
 */
export function newSettingValue(
  tx: ActorTx,
  name: string,
  permission: PermissionSetting,
  given: GroupSettingValue | undefined,
  mayName: UserTest,
): GroupSettingValue {
  return given === undefined
    ? defaultSetting(tx.organization, permission, tx.actor.userId)
    : requireAllowedValue(tx.organization, name, permission, given, mayName)
}

/**
 * Applies `{new, old}` to a permission setting and returns the value to store; undefined if nothing changes. The new
 * value can keep users of `current` that clients do not see. @throws ApiError like `newSettingValue`, and
 * EXPECTATION_MISMATCH if the value is no longer `old`
 */
export function changedSettingValue(
  tx: ActorTx,
  name: string,
  permission: PermissionSetting,
  current: GroupSettingValue,
  update: GroupSettingUpdate | undefined,
  mayName: UserTest,
): GroupSettingValue | undefined {
  if (update === undefined) return undefined
  const shown = presentSetting(tx.organization, current)
  const isNamed = (userId: number): boolean => typeof shown === 'object' && shown.direct_members.includes(userId)
  const wanted = requireAllowedValue(
    tx.organization,
    name,
    permission,
    update.new,
    (userId) => isNamed(userId) || mayName(userId),
  )
  if (update.old !== undefined && !isSameSettingValue(tx.organization, update.old, shown)) {
    throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.")
  }
  return isSameSettingValue(tx.organization, wanted, shown) ? undefined : wanted
}

function requireAllowedValue(
  organization: OrganizationState,
  name: string,
  permission: PermissionSetting,
  given: GroupSettingValue,
  mayName: UserTest,
): GroupSettingValue {
  const value = simplifySettingValue(organization, given)
  const groups = organization.of(groupsProjection)
  if (typeof value === 'object') {
    if (permission.require_system_group) throw systemGroupRequiredError(name)
    if (Math.max(value.direct_members.length, value.direct_subgroups.length) > MAX_SETTING_MEMBERS) {
      throw new ApiError(
        'BAD_REQUEST',
        `'${name}' setting cannot name more than ${MAX_SETTING_MEMBERS} users or groups.`,
      )
    }
    for (const userId of value.direct_members) {
      if (!isActiveUser(organization, userId) || !mayName(userId))
        throw new ApiError('BAD_REQUEST', `Invalid user ID: ${userId}`)
    }
  }
  for (const groupId of typeof value === 'number' ? [value] : value.direct_subgroups) {
    const group = groups.byId.get(groupId)
    if (group === undefined || group.deactivated) throw new ApiError('BAD_REQUEST', `Invalid user group ID: ${groupId}`)
    if (permission.require_system_group && !group.isSystemGroup) throw systemGroupRequiredError(name)
    if (group.isSystemGroup && !allowsSystemGroup(name, permission, group.name)) {
      throw new ApiError('BAD_REQUEST', `'${name}' setting cannot be set to '${group.name}' group.`)
    }
  }
  return value
}

function systemGroupRequiredError(name: string): ApiError {
  return new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name })
}

/** Ignores the order of members, and whether an anonymous group wraps a single group. */
function isSameSettingValue(
  organization: OrganizationState,
  one: GroupSettingValue,
  other: GroupSettingValue,
): boolean {
  return isDeepStrictEqual(simplifySettingValue(organization, one), simplifySettingValue(organization, other))
}

function simplifySettingValue(organization: OrganizationState, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const [direct_members, direct_subgroups] = [
    sortedUniqueIds(value.direct_members),
    sortedUniqueIds(value.direct_subgroups),
  ]
  if (direct_members.length > 0 || direct_subgroups.length > 1) return { direct_members, direct_subgroups }
  return direct_subgroups[0] ?? systemGroupId(organization, 'role:nobody')
}

function defaultSetting(
  organization: OrganizationState,
  permission: PermissionSetting,
  creatorId: number,
): GroupSettingValue {
  const name = permission.default_group_name
  return name === 'group_creator' || name === 'stream_creator_or_nobody'
    ? { direct_members: [creatorId], direct_subgroups: [] }
    : systemGroupId(organization, name)
}

export function allowsSystemGroup(setting: string, permission: PermissionSetting, group: string): boolean {
  if (FORBIDDEN_GROUP_BY_SETTING[setting] === group) return false
  if (permission.allowed_system_groups.length > 0) {
    return permission.allowed_system_groups.some((allowed) => allowed === group)
  }
  if (group === 'role:internet') return permission.allow_internet_group
  if (group === 'role:nobody') return permission.allow_nobody_group
  if (group === 'role:everyone') return permission.allow_everyone_group
  return true
}

function sortedUniqueIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

export function systemGroupId(organization: OrganizationState, name: SystemGroupName): number {
  const group = groupByName(organization, name)
  if (group === undefined) throw new Error(`the organization has no group ${name}`)
  return group.id
}
