import { MAX_NAMED_IN_SETTING, type GroupSettingValue } from '../capabilities/groups/contract/records.ts'
import {
  SYSTEM_GROUPS,
  type PermissionSetting,
  type SystemGroupName,
} from '../capabilities/groups/contract/permissions.ts'
import { allowsSystemGroup } from '../capabilities/groups/rules.ts'

/** Who has a permission: groups of roles, groups that people made, and people. */
export interface Holders {
  readonly roles: readonly SystemGroupName[]
  /** Ids of groups. */
  readonly groups: readonly number[]
  /** Ids of accounts. */
  readonly people: readonly number[]
  /** Whether others had it, too, who cannot have it here. */
  readonly isPartial?: boolean
}

/** A permission as it can be had here. */
export interface FittingPermission {
  readonly value: GroupSettingValue
  /** Whether fewer have it than before, or more can have it; undefined where it is as before. */
  readonly change: 'narrower' | 'wider' | undefined
}

/**
 * A permission of another service for those who had it there. Where that is not possible here, fewer have it; and more only where it cannot
 * be for as few here.
 * @param holders who had it; undefined where that is not known, so that as few as possible have it
 * @param groupId the ids of the groups of roles
 */
export function fittingPermission(
  name: string,
  permission: PermissionSetting,
  holders: Holders | undefined,
  groupId: (role: SystemGroupName) => number,
): FittingPermission {
  const allowed = SYSTEM_GROUPS.filter((role) => allowsSystemGroup(name, permission, role))
  const fewest = allowed[0] ?? 'role:nobody'
  const atMost = Math.max(...(holders?.roles ?? []).map((role) => SYSTEM_GROUPS.indexOf(role)))
  const isWidened = fewest !== 'role:nobody' && atMost < SYSTEM_GROUPS.indexOf(fewest)
  const narrowest = { value: groupId(fewest), change: isWidened ? 'wider' : 'narrower' } as const
  if (holders === undefined) return narrowest
  const isNamingToo = holders.groups.length + holders.people.length > 0
  const isTooMany = Math.max(holders.groups.length + holders.roles.length, holders.people.length) > MAX_NAMED_IN_SETTING
  if (isTooMany || (isNamingToo && permission.require_system_group)) return narrowest
  // A group of roles holds those before it in the list.
  const roles = holders.roles.map((role) => {
    const most = SYSTEM_GROUPS.indexOf(role)
    return allowed.findLast((one) => SYSTEM_GROUPS.indexOf(one) <= most) ?? 'role:nobody'
  })
  const isNarrower = holders.isPartial === true || roles.some((role, index) => role !== holders.roles[index])
  const change = isNarrower ? 'narrower' : undefined
  const named = roles.filter((role) => role !== 'role:nobody').map(groupId)
  const [groups, people] = [[...new Set([...named, ...holders.groups])], [...new Set(holders.people)]]
  const [first] = groups
  if (people.length === 0 && groups.length <= 1) {
    if (first !== undefined) return { value: first, change }
    return isWidened ? narrowest : { ...narrowest, change }
  }
  return {
    value: { direct_members: people.toSorted(byNumber), direct_subgroups: groups.toSorted(byNumber) },
    change,
  }
}

function byNumber(one: number, other: number): number {
  return one - other
}
