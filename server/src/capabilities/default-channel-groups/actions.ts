import { ROLE, type Role } from '../../kernel/actor.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { isPrintable, hasVisibleCharacter } from '../../kernel/characters.ts'
import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { Channel } from '../channels/queries/index.ts'
import { knownChannelByName } from '../channels/rules/index.ts'
import type { UserRow } from '../users/queries/index.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import {
  defaultChannelGroupsChanged,
  GROUP_LIMIT,
  GROUPED_CHANNEL_LIMIT,
  type DefaultChannelGroup,
} from './contract.ts'
import { defaultChannelGroupsOf } from './queries.ts'

export async function createDefaultChannelGroup(
  tx: ActorTx,
  input: Input<typeof contract.createDefaultChannelGroup>,
): Promise<Record<string, never>> {
  const groups = await requireGroupsAsAdministrator(tx)
  if (groups.length >= GROUP_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${GROUP_LIMIT.most} default channel groups.`)
  }
  const name = validateGroupName(groups, input.group_name)
  const channels = input.stream_names.map((given) => requireGroupableChannel(tx, given, name))
  const group = {
    id: tx.nextId(),
    name,
    description: validateGroupDescription(input.description),
    streams: channelIdsOf(channels),
  }
  requireGroupCapacity(groups, group.streams.length)
  await tx.db
    .insertInto('default_channel_groups')
    .values({
      organization_id: tx.organizationId,
      id: group.id,
      name,
      name_key: caseKey(name),
      description: group.description,
      channel_ids: group.streams,
    })
    .execute()
  await emitGroups(tx)
  return {}
}

export async function updateDefaultChannelGroup(
  tx: ActorTx,
  { group_id, new_group_name, new_description }: Input<typeof contract.updateDefaultChannelGroup>,
): Promise<Record<string, never>> {
  const groups = await requireGroupsAsAdministrator(tx)
  const group = requireGroup(groups, group_id)
  if (new_group_name === undefined && new_description === undefined) {
    throw new ApiError('BAD_REQUEST', 'You must pass "new_description" or "new_group_name".')
  }
  const others = groups.filter((one) => one !== group)
  const name = new_group_name === undefined ? group.name : validateGroupName(others, new_group_name)
  const description = new_description === undefined ? group.description : validateGroupDescription(new_description)
  if (name === group.name && description === group.description) return {}
  await tx.db
    .updateTable('default_channel_groups')
    .set({ name, name_key: caseKey(name), description })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', group.id)
    .execute()
  await emitGroups(tx)
  return {}
}

export async function deleteDefaultChannelGroup(
  tx: ActorTx,
  { group_id }: Input<typeof contract.deleteDefaultChannelGroup>,
): Promise<Record<string, never>> {
  const group = requireGroup(await requireGroupsAsAdministrator(tx), group_id)
  await tx.db
    .deleteFrom('default_channel_groups')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', group.id)
    .execute()
  await emitGroups(tx)
  return {}
}

export async function updateDefaultChannelGroupChannels(
  tx: ActorTx,
  { group_id, op, stream_names }: Input<typeof contract.updateDefaultChannelGroupChannels>,
): Promise<Record<string, never>> {
  const groups = await requireGroupsAsAdministrator(tx)
  const group = requireGroup(groups, group_id)
  const streams =
    op === 'add'
      ? channelIdsAfterAdding(tx, groups, group, stream_names)
      : channelIdsAfterRemoving(tx, group, stream_names)
  if (streams.length === group.streams.length) return {}
  await saveChannels(tx, group.id, streams)
  await emitGroups(tx)
  return {}
}

export async function removeFromDefaultChannelGroups(tx: Tx, before: Channel, after: Channel): Promise<void> {
  if (!isGroupable(before) || isGroupable(after)) return
  const groups = await defaultChannelGroupsOf(tx.db, tx.organizationId)
  const having = groups.filter(({ streams }) => streams.includes(after.id))
  if (having.length === 0) return
  for (const { id, streams } of having) {
    await saveChannels(
      tx,
      id,
      streams.filter((channelId) => channelId !== after.id),
    )
  }
  await emitGroups(tx)
}

export async function emitDefaultGroupsForRole(tx: Tx, user: UserRow, role: Role): Promise<void> {
  if ((user.role === ROLE.guest) === (role === ROLE.guest)) return
  const groups = await defaultChannelGroupsOf(tx.db, tx.organizationId)
  if (groups.length === 0) return
  const default_stream_groups = role === ROLE.guest ? [] : groups
  tx.emit(defaultChannelGroupsChanged, { default_stream_groups }, { users: [user.id] })
}

async function emitGroups(tx: Tx): Promise<void> {
  const default_stream_groups = await defaultChannelGroupsOf(tx.db, tx.organizationId)
  tx.emit(defaultChannelGroupsChanged, { default_stream_groups }, { roleAtMost: ROLE.member })
}

async function saveChannels(tx: Tx, groupId: number, channelIds: readonly number[]): Promise<void> {
  await tx.db
    .updateTable('default_channel_groups')
    .set({ channel_ids: [...channelIds] })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', groupId)
    .execute()
}

async function requireGroupsAsAdministrator(tx: ActorTx): Promise<DefaultChannelGroup[]> {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  return defaultChannelGroupsOf(tx.db, tx.organizationId)
}

function requireGroup(groups: readonly DefaultChannelGroup[], id: number): DefaultChannelGroup {
  const group = groups.find((one) => one.id === id)
  if (group === undefined) throw new ApiError('BAD_REQUEST', `Default channel group with id '${id}' does not exist.`)
  return group
}

function validateGroupName(others: readonly DefaultChannelGroup[], given: string): string {
  const name = given.trim()
  if (!hasVisibleCharacter(name)) throw new ApiError('BAD_REQUEST', "Default channel group name can't be empty.")
  if (!isPrintable(name)) throw new ApiError('BAD_REQUEST', 'Invalid character in default channel group name.')
  if (others.some((one) => caseKey(one.name) === caseKey(name))) {
    throw new ApiError('BAD_REQUEST', `Default channel group '${name}' already exists`)
  }
  return name
}

function validateGroupDescription(given: string): string {
  const description = given.trim()
  if (description === '') throw new ApiError('BAD_REQUEST', "Default channel group description can't be empty.")
  return description
}

export function isGroupable(channel: Channel): boolean {
  return !channel.inviteOnly && !channel.isArchived && !channel.isDefault
}

function requireGroupableChannel(tx: ActorTx, given: string, group: string): Channel {
  const channel = knownChannelByName(tx.organization, tx.actor, given)
  if (isGroupable(channel)) return channel
  const why = channel.inviteOnly ? 'private' : channel.isArchived ? 'archived' : 'a default channel'
  throw new ApiError('BAD_REQUEST', `'${channel.name}' is ${why} and cannot be added to '${group}'`)
}

function channelIdsAfterAdding(
  tx: ActorTx,
  groups: readonly DefaultChannelGroup[],
  group: DefaultChannelGroup,
  names: readonly string[],
): number[] {
  const added = names.map((given) => requireGroupableChannel(tx, given, group.name))
  const known = added.find((channel) => group.streams.includes(channel.id))
  if (known !== undefined) {
    throw new ApiError(
      'BAD_REQUEST',
      `Channel '${known.name}' is already present in default channel group '${group.name}'`,
    )
  }
  const ids = channelIdsOf(added)
  requireGroupCapacity(groups, ids.length)
  return [...group.streams, ...ids].toSorted((a, b) => a - b)
}

function channelIdsAfterRemoving(tx: ActorTx, group: DefaultChannelGroup, names: readonly string[]): number[] {
  const removed = names.map((given) => knownChannelByName(tx.organization, tx.actor, given))
  const absent = removed.find((channel) => !group.streams.includes(channel.id))
  if (absent !== undefined) {
    throw new ApiError(
      'BAD_REQUEST',
      `Channel '${absent.name}' is not present in default channel group '${group.name}'`,
    )
  }
  const ids = new Set(removed.map((channel) => channel.id))
  return group.streams.filter((id) => !ids.has(id))
}

function requireGroupCapacity(groups: readonly DefaultChannelGroup[], more: number): void {
  const grouped = groups.reduce((sum, { streams }) => sum + streams.length, 0)
  if (grouped + more <= GROUPED_CHANNEL_LIMIT.most) return
  throw new ApiError(
    'BAD_REQUEST',
    `Default channel groups cannot have more than ${GROUPED_CHANNEL_LIMIT.most} channels.`,
  )
}

function channelIdsOf(channels: readonly Channel[]): number[] {
  return [...new Set(channels.map((channel) => channel.id))].toSorted((a, b) => a - b)
}
