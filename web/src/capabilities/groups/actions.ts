import { call } from '@parley/client'
import { groups } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { sync } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { groupById } from './members.ts'
import { mayAddMembers, mayRemoveMembers } from './rights.ts'

/* The functions below throw errors, so that the calling form can show them. */

type Group = groups.UserGroup

interface NewGroup {
  readonly name: string
  readonly description: string
  readonly members: readonly number[]
}

export async function createGroup({ name, description, members }: NewGroup): Promise<number> {
  const { group_id: id } = await call(SESSION, groups.createUserGroup, { name, description, members: [...members] })
  return id
}

export async function renameGroup({ id }: Group, name: string): Promise<void> {
  await call(SESSION, groups.updateUserGroup, { user_group_id: id, name })
}

export async function changeGroupDescription({ id }: Group, description: string): Promise<void> {
  await call(SESSION, groups.updateUserGroup, { user_group_id: id, description })
}

export async function grantPermission(
  { id }: Group,
  permission: groups.GroupPermission,
  value: groups.GroupSettingValue,
): Promise<'saved'> {
  const before = groupById(id)?.[permission] ?? value
  const predict = (data: groups.GroupSettingValue): void =>
    sync.predict({ type: 'user_group', op: 'update', group_id: id, data: { [permission]: data } })
  predict(value)
  try {
    await call(SESSION, groups.updateUserGroup, { user_group_id: id, [permission]: { new: value, old: before } })
  } catch (error) {
    if (groupById(id)?.[permission] === value) predict(before)
    throw error
  }
  return 'saved'
}

export async function setGroupDeactivated({ id, name }: Group, deactivated: boolean): Promise<void> {
  const set = async (isOff: boolean) => call(SESSION, groups.updateUserGroup, { user_group_id: id, deactivated: isOff })
  await set(deactivated)
  const text = deactivated ? ta().groups.wasDeactivated(name) : ta().groups.wasReactivated(name)
  offerUndo(text, async () => set(!deactivated))
}

export interface GroupContents {
  readonly people?: readonly number[]
  readonly groups?: readonly number[]
}

export async function addToGroup(group: Group, inner: GroupContents, text: string): Promise<void> {
  await changeMembers(group, inner, true)
  showUndoToast(text, mayRemoveMembers(currentGroup(group)), async () => changeMembers(group, inner, false))
}

export async function removeFromGroup(group: Group, inner: GroupContents, text: string): Promise<void> {
  await changeMembers(group, inner, false)
  showUndoToast(text, mayAddMembers(currentGroup(group)), async () => changeMembers(group, inner, true))
}

async function changeMembers(
  { id }: Group,
  { people = [], groups: inner = [] }: GroupContents,
  isPutIn: boolean,
): Promise<void> {
  await call(SESSION, groups.updateUserGroupMembers, {
    user_group_id: id,
    [isPutIn ? 'add' : 'delete']: [...people],
    [isPutIn ? 'add_subgroups' : 'delete_subgroups']: [...inner],
  })
}

/** Reads the group again, because the user's own change may have removed their permission. */
function currentGroup(group: Group): Group {
  return groupById(group.id) ?? group
}

function showUndoToast(text: string, canBeUndone: boolean, inverse: () => Promise<unknown>): void {
  if (canBeUndone) offerUndo(text, inverse)
  else toast(text)
}
