import { entriesOf, keysOf, recordWith } from '../../../kernel/keys.ts'
import { everyone } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
  type GroupUpdate,
} from '../contract/index.ts'
import {
  groupsProjection,
  isActiveUser,
  presentGroup,
  settingsReferencingUser,
  type Group,
  type GroupChange,
  groupByName,
} from '../queries.ts'
import { PERMISSIONS, SYSTEM_GROUPS, type SystemGroupName } from '../contract/permissions.ts'

async function insertGroups(tx: Tx, groups: readonly Omit<Group, 'members'>[]): Promise<void> {
  await tx.db
    .insertInto('user_groups')
    .values(
      groups.map((group) => ({
        organization_id: tx.organizationId,
        id: group.id,
        name: group.name,
        name_key: caseKey(group.name),
        description: group.description,
        creator_id: group.creatorId,
        date_created: group.dateCreated,
        is_system_group: group.isSystemGroup,
        deactivated: group.deactivated,
        permissions: JSON.stringify(group.permissions),
      })),
    )
    .execute()
  await insertSubgroups(
    tx,
    groups.flatMap(({ id, subgroupIds }) => subgroupIds.map((subgroupId) => [id, subgroupId] as const)),
  )
  for (const group of groups) tx.change(groupsProjection, { group })
}

/** Returns changes for `groupsAfter`. */
export async function insertGroup(
  tx: Tx,
  group: Omit<Group, 'members'>,
  memberIds: readonly number[],
): Promise<GroupChange[]> {
  await insertGroups(tx, [group])
  await insertMembers(tx, group.id, memberIds)
  const added = { groupId: group.id, add: memberIds }
  tx.change(groupsProjection, added)
  const made = { ...group, members: new Set(memberIds) }
  tx.emit(groupAdded, { group: presentGroup(tx.organization, made) }, everyone)
  return [{ group }, added]
}

export async function updateGroup(tx: Tx, before: Group, after: Group): Promise<void> {
  const { members: _, ...group } = after
  await tx.db
    .updateTable('user_groups')
    .set({
      name: group.name,
      name_key: caseKey(group.name),
      description: group.description,
      deactivated: group.deactivated,
      permissions: JSON.stringify(group.permissions),
    })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', group.id)
    .execute()
  tx.change(groupsProjection, { group })
  if (before.deactivated !== after.deactivated) emitDeactivation(tx, before, after.deactivated)
  const data: GroupUpdate = {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.description === after.description ? {} : { description: after.description }),
    ...changedSettings(before, after),
  }
  if (Object.keys(data).length > 0) {
    tx.emit(groupUpdated, { group_id: group.id, data }, everyone, refIdIfDeactivated(after))
  }
}

function changedSettings(before: Group, after: Group): GroupUpdate {
  const changed = entriesOf(after.permissions).filter(([name, value]) => value !== before.permissions[name])
  return Object.fromEntries(changed)
}

/** Clients that do not know deactivated groups receive a removal or addition instead. */
function emitDeactivation(tx: Tx, group: Group, deactivated: boolean): void {
  tx.emit(groupUpdated, { group_id: group.id, data: { deactivated } }, everyone, group.id)
  if (deactivated) tx.emit(groupRemoved, { group_id: group.id }, everyone, group.id)
  else tx.emit(groupAdded, { group: { ...presentGroup(tx.organization, group), deactivated } }, everyone, group.id)
}

export async function changeMembers(
  tx: Tx,
  group: Group,
  { add = [], remove = [] }: { add?: readonly number[]; remove?: readonly number[] },
): Promise<GroupChange[]> {
  if (remove.length > 0) {
    await tx.db.rows(
      'delete_members',
      'delete from group_members where organization_id = $1 and group_id = $2 and user_id = any($3::bigint[])',
      [tx.organizationId, group.id, remove],
    )
    tx.change(groupsProjection, { groupId: group.id, remove })
    tx.emit(groupMembersRemoved, { group_id: group.id, user_ids: [...remove] }, everyone, refIdIfDeactivated(group))
  }
  if (add.length > 0) {
    await insertMembers(tx, group.id, add)
    tx.change(groupsProjection, { groupId: group.id, add })
    tx.emit(groupMembersAdded, { group_id: group.id, user_ids: [...add] }, everyone, refIdIfDeactivated(group))
  }
  return [{ groupId: group.id, add, remove }]
}

export async function changeSubgroups(
  tx: Tx,
  group: Group,
  { add = [], remove = [] }: { add?: readonly number[]; remove?: readonly number[] },
): Promise<GroupChange[]> {
  const { members: _, ...kept } = group
  const subgroupIds = [...kept.subgroupIds.filter((id) => !remove.includes(id)), ...add].toSorted((a, b) => a - b)
  const change = { group: { ...kept, subgroupIds } }
  if (remove.length > 0) {
    await tx.db.rows(
      'delete_subgroups',
      'delete from group_subgroups where organization_id = $1 and group_id = $2 and subgroup_id = any($3::bigint[])',
      [tx.organizationId, group.id, remove],
    )
    tx.emit(
      subgroupsRemoved,
      { group_id: group.id, direct_subgroup_ids: [...remove] },
      everyone,
      refIdIfDeactivated(group),
    )
  }
  if (add.length > 0) {
    await insertSubgroups(
      tx,
      add.map((id) => [group.id, id] as const),
    )
    tx.emit(subgroupsAdded, { group_id: group.id, direct_subgroup_ids: [...add] }, everyone, refIdIfDeactivated(group))
  }
  tx.change(groupsProjection, change)
  return [change]
}

/** Reports a user's (de)activation as group changes; stored memberships stay. `after` is the resulting state. */
export function emitActivationAsGroupChanges(tx: Tx, userId: number, after: OrganizationState): void {
  const event = isActiveUser(after, userId) ? groupMembersAdded : groupMembersRemoved
  for (const group of after.of(groupsProjection).byId.values()) {
    if (group.isSystemGroup) continue
    if (group.members.has(userId)) {
      tx.emit(event, { group_id: group.id, user_ids: [userId] }, everyone, refIdIfDeactivated(group))
    }
    const naming = settingsReferencingUser(after, group.permissions, userId)
    if (naming.length > 0) {
      const update = { group_id: group.id, data: Object.fromEntries(naming) }
      tx.emit(groupUpdated, update, everyone, refIdIfDeactivated(group))
    }
  }
}

/** Returns the `refId` that limits events about deactivated groups to clients that know such groups. */
function refIdIfDeactivated(group: Group): number | undefined {
  return group.deactivated ? group.id : undefined
}

async function insertMembers(tx: Tx, groupId: number, userIds: readonly number[]): Promise<void> {
  await tx.db.rows('insert_members', 'insert into group_members select $1, $2, unnest($3::bigint[])', [
    tx.organizationId,
    groupId,
    userIds,
  ])
}

async function insertSubgroups(tx: Tx, pairs: readonly (readonly [group: number, subgroup: number])[]): Promise<void> {
  await tx.db.rows(
    'insert_subgroups',
    'insert into group_subgroups select $1, * from unnest($2::bigint[], $3::bigint[])',
    [tx.organizationId, pairs.map(([group]) => group), pairs.map(([, subgroup]) => subgroup)],
  )
}

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

export async function moveBetweenRoleGroups(
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
