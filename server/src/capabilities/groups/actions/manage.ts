import { isPrintable, hasVisibleCharacter } from '../../../kernel/characters.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { emitChannelVisibilityThroughGroup } from '../../channels/actions/access.ts'
import { changeMembers, changeSubgroups, insertGroup, updateGroup } from './changes.ts'
import { GROUP_LIMIT, type GroupSettingUpdate } from '../contract/index.ts'
import { PERMISSIONS } from '../contract/permissions.ts'
import {
  groupByName,
  groupsAfter,
  groupsProjection,
  isActiveUser,
  isWithinGroup,
  knownGroup,
  membersOfAll,
  type Group,
  type GroupChange,
} from '../queries.ts'
import { changedSettingValue, newSettingValue, systemGroupId } from '../rules.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { createNameVisibilityTest, visibleUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/index.ts'
import { changesToFullMembers, groupUses } from './uses.ts'
import {
  managedGroup,
  mayAddGroupMembers,
  mayCreateGroup,
  mayJoinGroup,
  mayLeaveGroup,
  mayRemoveGroupMembers,
  requireActive,
  requirePermission,
} from './access.ts'

const RESERVED_NAME_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:']

const PERMISSION_NAMES = keysOf(PERMISSIONS.group)

export async function createUserGroup(
  tx: ActorTx,
  input: Input<typeof contract.createUserGroup>,
): Promise<Output<typeof contract.createUserGroup>> {
  requirePermission(mayCreateGroup(tx.organization, tx.actor))
  requireGroupCapacity(tx)
  await requireNoNewcomerLinks(tx, tx.actor, [input.name, input.description])
  const members = sortedUniqueIds(input.members)
  requireVisibleActiveUsers(tx, members)
  const subgroupIds = sortedUniqueIds(input.subgroups)
  for (const id of subgroupIds) requireActive(knownGroup(tx.organization, id))
  const mayName = createNameVisibilityTest(tx.organization, tx.actor)
  const permissions = recordWith(PERMISSION_NAMES, (name) =>
    newSettingValue(tx, name, PERMISSIONS.group[name], input[name], mayName),
  )
  const group = {
    id: tx.nextId(),
    name: requireFreeName(tx, input.name),
    description: input.description,
    creatorId: tx.actor.userId,
    dateCreated: tx.now,
    isSystemGroup: false,
    deactivated: false,
    permissions,
    subgroupIds,
  }
  // No setting refers to the new group yet, so its members gain no access.
  await insertGroup(tx, group, members)
  return { group_id: group.id }
}

export async function updateUserGroup(
  tx: ActorTx,
  input: Input<typeof contract.updateUserGroup>,
): Promise<Output<typeof contract.updateUserGroup>> {
  const group = managedGroup(tx, input.user_group_id)
  const deactivated = input.deactivated ?? group.deactivated
  if (group.deactivated && deactivated) requireActive(group)
  if (deactivated) requireUnusedGroup(tx, group)
  const changed = [input.name, input.description].filter((text) => text !== undefined)
  await requireNoNewcomerLinks(tx, tx.actor, changed)
  const permissions = { ...group.permissions }
  const mayName = createNameVisibilityTest(tx.organization, tx.actor)
  for (const name of PERMISSION_NAMES) {
    const update: GroupSettingUpdate | undefined = input[name]
    const value = changedSettingValue(tx, name, PERMISSIONS.group[name], group.permissions[name], update, mayName)
    if (value !== undefined) permissions[name] = value
  }
  await updateGroup(tx, group, {
    ...group,
    name: input.name === undefined ? group.name : requireFreeName(tx, input.name, group),
    description: input.description ?? group.description,
    deactivated,
    permissions,
  })
  return {}
}

export async function deactivateUserGroup(
  tx: ActorTx,
  input: Input<typeof contract.deactivateUserGroup>,
): Promise<Output<typeof contract.deactivateUserGroup>> {
  const group = managedGroup(tx, input.user_group_id)
  requireActive(group)
  requireUnusedGroup(tx, group)
  await updateGroup(tx, group, { ...group, deactivated: true })
  return {}
}

export async function updateUserGroupMembers(
  tx: ActorTx,
  input: Input<typeof contract.updateUserGroupMembers>,
): Promise<Output<typeof contract.updateUserGroupMembers>> {
  return changeMembership(tx, input.user_group_id, {
    add: sortedUniqueIds(input.add),
    remove: sortedUniqueIds(input.delete),
    addGroups: sortedUniqueIds(input.add_subgroups),
    removeGroups: sortedUniqueIds(input.delete_subgroups),
  })
}

export async function updateUserGroupSubgroups(
  tx: ActorTx,
  input: Input<typeof contract.updateUserGroupSubgroups>,
): Promise<Output<typeof contract.updateUserGroupSubgroups>> {
  return changeMembership(tx, input.user_group_id, {
    add: [],
    remove: [],
    addGroups: sortedUniqueIds(input.add),
    removeGroups: sortedUniqueIds(input.delete),
  })
}

interface MemberChanges {
  readonly add: readonly number[]
  readonly remove: readonly number[]
  readonly addGroups: readonly number[]
  readonly removeGroups: readonly number[]
}

async function changeMembership(
  tx: ActorTx,
  groupId: number,
  requested: MemberChanges,
): Promise<Record<string, never>> {
  const group = knownGroup(tx.organization, groupId)
  requireMayChangeMembership(tx, group, requested)
  const { add, remove, addGroups, removeGroups } = requested
  const changes: GroupChange[] = []
  if (add.length + remove.length > 0) changes.push(...(await changeMembers(tx, group, { add, remove })))
  if (addGroups.length + removeGroups.length > 0) {
    changes.push(...(await changeSubgroups(tx, group, { add: addGroups, remove: removeGroups })))
  }
  const inner = [...addGroups, ...removeGroups].map((id) => knownGroup(tx.organization, id))
  const moved = [...new Set([...add, ...remove, ...membersOfAll(tx.organization, inner)])]
  await emitChannelVisibilityThroughGroup(tx, group.id, moved, groupsAfter(tx.organization, changes))
  return {}
}

/** Promotes members whose waiting period is over to full members, and demotes other full members. */
export async function updateFullMembers(
  tx: Tx,
  waitingDays = settingOf(tx.organization, 'waiting_period_threshold'),
): Promise<void> {
  const group = knownGroup(tx.organization, systemGroupId(tx.organization, 'role:fullmembers'))
  const { add, remove } = changesToFullMembers(tx.organization, tx.now, waitingDays)
  if (add.length + remove.length === 0) return
  const changes = await changeMembers(tx, group, { add, remove })
  await emitChannelVisibilityThroughGroup(tx, group.id, [...add, ...remove], groupsAfter(tx.organization, changes))
}

function requireMayChangeMembership(
  tx: ActorTx,
  group: Group,
  { add, remove, addGroups, removeGroups }: MemberChanges,
): void {
  const { organization, actor } = tx
  const isOwn = (userIds: readonly number[]): boolean => userIds.every((id) => id === actor.userId)
  if (group.isSystemGroup) requirePermission(false)
  if (add.length > 0) requirePermission((isOwn(add) ? mayJoinGroup : mayAddGroupMembers)(organization, actor, group))
  if (remove.length > 0)
    requirePermission((isOwn(remove) ? mayLeaveGroup : mayRemoveGroupMembers)(organization, actor, group))
  if (addGroups.length > 0) requirePermission(mayAddGroupMembers(organization, actor, group))
  if (removeGroups.length > 0) requirePermission(mayRemoveGroupMembers(organization, actor, group))
  requireActive(group)
  if (add.length + remove.length + addGroups.length + removeGroups.length === 0) {
    const parameters = '"add", "delete", "add_subgroups" or "delete_subgroups"'
    throw new ApiError('BAD_REQUEST', `Nothing to do. Specify at least one of ${parameters}.`)
  }
  requireVisibleActiveUsers(tx, add)
  for (const id of add) {
    if (group.members.has(id)) throw new ApiError('BAD_REQUEST', `User ${id} is already a member of this group`)
  }
  for (const id of remove) {
    if (!group.members.has(id) || !isActiveUser(organization, id)) {
      throw new ApiError('BAD_REQUEST', `There is no user with ID '${id}' in this user group`)
    }
  }
  for (const id of addGroups) {
    requireActive(knownGroup(organization, id))
    if (group.subgroupIds.includes(id)) {
      throw new ApiError('BAD_REQUEST', `User group ${id} is already a subgroup of this group.`)
    }
    if (isWithinGroup(organization, group.id, id)) {
      throw new ApiError('BAD_REQUEST', `User group ${group.id} is already a subgroup of user group ${id}.`)
    }
  }
  for (const id of removeGroups) {
    if (!group.subgroupIds.includes(id)) {
      throw new ApiError('BAD_REQUEST', `User group ${id} is not a subgroup of this group.`)
    }
  }
}

/** @throws ApiError BAD_REQUEST if the actor created the maximum number of groups */
function requireGroupCapacity({ organization, actor }: ActorTx): void {
  const made = [...organization.of(groupsProjection).byId.values()].filter(
    ({ creatorId }) => creatorId === actor.userId,
  )
  if (made.length < GROUP_LIMIT.most) return
  throw new ApiError('BAD_REQUEST', `A user can create at most ${GROUP_LIMIT.most} user groups.`)
}

function requireVisibleActiveUsers(tx: ActorTx, userIds: readonly number[]): void {
  for (const id of userIds) {
    if (visibleUser(tx.organization, tx.actor, id)?.isActive !== true)
      throw new ApiError('BAD_REQUEST', `Invalid user ID: ${id}`)
  }
}

function requireUnusedGroup(tx: ActorTx, group: Group): void {
  const { isUsed, objections } = groupUses(tx.organization, tx.actor, group)
  if (isUsed) {
    throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections })
  }
}

function requireFreeName(tx: ActorTx, wanted: string, group?: Group): string {
  const name = wanted.trim()
  if (name === '') throw new ApiError('BAD_REQUEST', "User group name can't be empty!")
  if (!hasVisibleCharacter(name) || !isPrintable(name))
    throw new ApiError('BAD_REQUEST', 'Invalid characters in user group name!')
  const reserved = RESERVED_NAME_PREFIXES.find((beginning) => name.toLowerCase().startsWith(beginning))
  if (reserved !== undefined) throw new ApiError('BAD_REQUEST', `User group name cannot start with '${reserved}'.`)
  const other = groupByName(tx.organization, name)
  if (other !== undefined && other.id !== group?.id) {
    throw new ApiError('BAD_REQUEST', `User group '${name}' already exists.`)
  }
  return name
}

function sortedUniqueIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b)
}
