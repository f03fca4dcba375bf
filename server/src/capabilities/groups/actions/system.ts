import type { Tx } from '../../../kernel/transaction.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { PERMISSIONS, SYSTEM_GROUPS, type SystemGroupName } from '../contract/permissions.ts'
import { groupByName, type Group, type GroupChange } from '../queries.ts'
import { changeMembers, insertGroups } from './changes.ts'

const GROUP_DESCRIPTIONS: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers': 'Members of this organization past the waiting period, including moderators',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
}

export function systemGroups(nextId: () => number): Omit<Group, 'members'>[] {
  const ids = new Map(SYSTEM_GROUPS.map((name) => [name, nextId()]))
  const idOf = (name: SystemGroupName): number => ids.get(name) ?? 0
  // The permissions of system groups never change.
  const permissions = recordWith(keysOf(PERMISSIONS.group), (name) =>
    idOf(PERMISSIONS.group[name].default_for_system_groups ?? 'role:nobody'),
  )
  return SYSTEM_GROUPS.map((name, index) => {
    const inner = index > 1 ? SYSTEM_GROUPS[index - 1] : undefined
    return {
      id: idOf(name),
      name,
      description: GROUP_DESCRIPTIONS[name],
      creatorId: null,
      dateCreated: null,
      isSystemGroup: true,
      deactivated: false,
      permissions,
      subgroupIds: inner === undefined ? [] : [idOf(inner)],
    }
  })
}

export async function createSystemGroups(tx: Tx): Promise<void> {
  await insertGroups(
    tx,
    systemGroups(() => tx.nextId()),
  )
}

export async function changeRoleGroups(
  tx: Tx,
  userId: number,
  names: readonly SystemGroupName[],
): Promise<GroupChange[]> {
  const groups = SYSTEM_GROUPS.map((name) => groupByName(tx.organization, name)).filter((group) => group !== undefined)
  const belongs = (group: Group): boolean => names.some((name) => name === group.name)
  const left = groups.filter((group) => group.members.has(userId) && !belongs(group))
  const joined = groups.filter((group) => !group.members.has(userId) && belongs(group))
  const changes: GroupChange[] = []
  for (const group of left) changes.push(...(await changeMembers(tx, group, { remove: [userId] })))
  for (const group of joined) changes.push(...(await changeMembers(tx, group, { add: [userId] })))
  return changes
}
