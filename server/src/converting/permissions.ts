import { MAX_SETTING_MEMBERS, type GroupSettingValue } from '../capabilities/groups/contract/index.ts'
import {
  SYSTEM_GROUPS,
  type PermissionSetting,
  type SystemGroupName,
} from '../capabilities/groups/contract/permissions.ts'
import { allowsSystemGroup } from '../capabilities/groups/rules.ts'

export interface PermissionHolders {
  readonly roles: readonly SystemGroupName[]
  readonly groups: readonly number[]
  readonly people: readonly number[]
  /** Whether some previous holders cannot have the permission in Parley. */
  readonly isPartial?: boolean
}

export interface ConvertedPermission {
  readonly value: GroupSettingValue
  /** Undefined if the holders are unchanged. */
  readonly change: 'narrower' | 'wider' | undefined
}

/** Narrows a permission that Parley cannot represent, or widens it if it cannot be narrower. */
export function convertPermission(
  name: string,
  permission: PermissionSetting,
  holders: PermissionHolders | undefined,
  groupId: (role: SystemGroupName) => number,
): ConvertedPermission {
  const allowed = SYSTEM_GROUPS.filter((role) => allowsSystemGroup(name, permission, role))
  const fewest = allowed[0] ?? 'role:nobody'
  const atMost = Math.max(...(holders?.roles ?? []).map((role) => SYSTEM_GROUPS.indexOf(role)))
  const isWidened = fewest !== 'role:nobody' && atMost < SYSTEM_GROUPS.indexOf(fewest)
  const narrowest = { value: groupId(fewest), change: isWidened ? 'wider' : 'narrower' } as const
  if (holders === undefined) return narrowest
  const isNamingToo = holders.groups.length + holders.people.length > 0
  const isTooMany = Math.max(holders.groups.length + holders.roles.length, holders.people.length) > MAX_SETTING_MEMBERS
  if (isTooMany || (isNamingToo && permission.require_system_group)) return narrowest
  // Each role group includes the groups before it in `SYSTEM_GROUPS`.
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
    value: { direct_members: people.toSorted(compareNumbers), direct_subgroups: groups.toSorted(compareNumbers) },
    change,
  }
}

function compareNumbers(one: number, other: number): number {
  return one - other
}
