import type { Role } from '../../kernel/actor.ts'
import { everyone } from '../../kernel/audience.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { groupMembersAdded, groupMembersRemoved } from './contract/index.ts'
import { PERMISSIONS, SYSTEM_GROUPS, type GroupPermission, type SystemGroupName } from './contract/permissions.ts'
import { groupsFold } from './queries.ts'
import { systemGroupId, systemGroupsOfRole } from './rules.ts'

const DESCRIPTIONS: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers': 'Members of this organization past the waiting period, including moderators',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
}

/** Makes the groups that stand for roles. Part of creating an organization, before its first user. */
export async function createSystemGroups(tx: Tx): Promise<void> {
  const ids = new Map(SYSTEM_GROUPS.map((name) => [name, tx.take()]))
  const idOf = (name: SystemGroupName): number => ids.get(name) ?? 0
  // What system groups are to each other never changes, and nobody may change them.
  const permissions = Object.fromEntries(
    Object.entries(PERMISSIONS.group).map(([name, permission]) => [
      name,
      idOf(permission.default_for_system_groups ?? 'role:nobody'),
    ]),
  ) as Record<GroupPermission, number>
  for (const [index, name] of SYSTEM_GROUPS.entries()) {
    // The list goes from most to least privileged: each group holds the one before it, except nobody's.
    const inner = index > 1 ? SYSTEM_GROUPS[index - 1] : undefined
    const subgroupIds = inner === undefined ? [] : [idOf(inner)]
    const group = {
      id: idOf(name),
      name,
      description: DESCRIPTIONS[name],
      creatorId: null,
      dateCreated: null,
      isSystemGroup: true,
      deactivated: false,
      permissions,
      subgroupIds,
    }
    await tx.db
      .insertInto('user_groups')
      .values({
        organization_id: tx.organizationId,
        id: group.id,
        name,
        description: group.description,
        creator_id: null,
        date_created: null,
        is_system_group: true,
        deactivated: false,
        permissions: JSON.stringify(permissions),
      })
      .execute()
    for (const subgroupId of subgroupIds) {
      await tx.db
        .insertInto('group_subgroups')
        .values({ organization_id: tx.organizationId, group_id: group.id, subgroup_id: subgroupId })
        .execute()
    }
    tx.change(groupsFold, { group })
  }
}

/** Moves a user between the system groups of roles; undefined stands for no account. */
export async function changeRoleGroups(
  tx: Tx,
  userId: number,
  before: Role | undefined,
  after: Role | undefined,
): Promise<void> {
  const left = before === undefined ? [] : systemGroupsOfRole(before)
  const joined = after === undefined ? [] : systemGroupsOfRole(after)
  for (const name of left) {
    const groupId = systemGroupId(tx.world, name)
    await tx.db
      .deleteFrom('group_members')
      .where('organization_id', '=', tx.organizationId)
      .where('group_id', '=', groupId)
      .where('user_id', '=', userId)
      .execute()
    tx.change(groupsFold, { groupId, remove: [userId] })
    tx.emit(groupMembersRemoved, { group_id: groupId, user_ids: [userId] }, everyone)
  }
  for (const name of joined) {
    const groupId = systemGroupId(tx.world, name)
    await tx.db
      .insertInto('group_members')
      .values({ organization_id: tx.organizationId, group_id: groupId, user_id: userId })
      .execute()
    tx.change(groupsFold, { groupId, add: [userId] })
    tx.emit(groupMembersAdded, { group_id: groupId, user_ids: [userId] }, everyone)
  }
}
