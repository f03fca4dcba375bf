import type { Role } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { settingsReferencingUser } from '../../groups/queries.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import { channelUpdated, defaultChannelsChanged, peersAdded, peersRemoved } from '../contract/index.ts'
import {
  channelById,
  channelsProjection,
  isCurrentSubscription,
  subscriptionsProjection,
  type Channel,
  type Subscription,
} from '../queries/index.ts'
import {
  channelAudience,
  channelClientFilter,
  defaultChannels,
  firstMessageFor,
  isVisibleThroughGroup,
  canSeeChannel,
} from '../rules/index.ts'
import { changeChannel, emitNewlyHiddenChannels, emitNewlyVisibleChannels, emitVisibleChannelSettings } from './emit.ts'
import { emitDefaultChannelsOfBots } from '../../bots/actions/emit.ts'
import { emitDefaultGroupsForRole } from '../../default-channel-groups/actions.ts'
import { emitFirstMessage } from './first-message.ts'
import { emitMutedTopicsIn } from '../../user-topics/actions/muted-topics.ts'
import { emitPeersForRoleChange, emitPeersToViewers } from './peers.ts'
import { withEndedPeriod } from './subscriptions.ts'

/** When a user's role changes, tells the user which channels become visible or hidden. */
export async function emitChannelVisibilityForRole(
  tx: Tx,
  user: UserRow,
  role: Role,
  after: OrganizationState,
): Promise<void> {
  const channels = [...tx.organization.of(channelsProjection).byId.values()]
  await emitChannelVisibilityTo(tx, user, role, channels, after)
  const defaults = defaultChannels(after, { role })
  if (defaults.length !== defaultChannels(tx.organization, user).length) {
    tx.emit(defaultChannelsChanged, { default_streams: defaults }, { users: [user.id] })
  }
  await emitDefaultGroupsForRole(tx, user, role)
}

/** When a group changes, tells users which channels become visible to them or hidden from them. */
export async function emitChannelVisibilityThroughGroup(
  tx: Tx,
  groupId: number,
  userIds: Iterable<number>,
  after: OrganizationState,
): Promise<void> {
  const channels = [...tx.organization.of(channelsProjection).byId.values()].filter((channel) =>
    [tx.organization, after].some((organization) => isVisibleThroughGroup(organization, channel, groupId)),
  )
  if (channels.length === 0) return
  for (const userId of new Set(userIds)) {
    const user = userById(tx.organization, userId)
    if (user !== undefined) await emitChannelVisibilityTo(tx, user, user.role, channels, after)
  }
}

async function emitChannelVisibilityTo(
  tx: Tx,
  user: UserRow,
  role: Role,
  channels: readonly Channel[],
  after: OrganizationState,
): Promise<void> {
  const gained: Channel[] = []
  const lost: Channel[] = []
  const [was, is] = [
    { userId: user.id, role: user.role },
    { userId: user.id, role },
  ]
  for (const channel of channels) {
    const knew = canSeeChannel(tx.organization, was, channel)
    const knows = canSeeChannel(after, is, channel)
    if (knows && !knew) gained.push(channel)
    if (knew && !knows) lost.push(channel)
    if (!knew || !knows) continue
    const first = { before: firstMessageFor(tx.organization, was, channel), after: firstMessageFor(after, is, channel) }
    emitFirstMessage(tx, channel, [{ userId: user.id, ...first }], channelClientFilter(channel))
    emitPeersForRoleChange(tx, channel, was, is)
  }
  for (const isArchived of [false, true]) {
    const alike = (channel: Channel): boolean => channel.isArchived === isArchived
    emitNewlyVisibleChannels(tx, gained.filter(alike), [is], channelClientFilter({ isArchived }), after)
    emitNewlyHiddenChannels(tx, lost.filter(alike), [user.id], channelClientFilter({ isArchived }))
  }
  const places = [...gained, ...lost].map((channel) => ({ userId: user.id, channelId: channel.id }))
  emitVisibleChannelSettings(tx, places)
  emitDefaultChannelsOfBots(tx, places, role)
  await emitMutedTopicsIn(tx, places)
}

/** Messages sent during a suspension are never unread and, if history is protected, stay hidden from the user. */
export async function suspendOrResumeInChannels(
  tx: Tx,
  user: UserRow,
  isActive: boolean,
  after: OrganizationState,
): Promise<void> {
  await suspendOrResumeSubscriptions(tx, user, isActive)
  for (const channel of tx.organization.of(channelsProjection).byId.values()) {
    for (const [property, value] of settingsReferencingUser(after, channel.permissions, user.id)) {
      const update = { stream_id: channel.id, name: channel.name, property, value }
      tx.emit(channelUpdated, update, channelAudience(tx.organization, channel))
    }
  }
}

async function suspendOrResumeSubscriptions(tx: Tx, user: UserRow, isActive: boolean): Promise<void> {
  const mine = [...(tx.organization.of(subscriptionsProjection).byUser.get(user.id)?.values() ?? [])]
  const rows = mine.filter((row) => (isActive ? row.isResting : isCurrentSubscription(row)))
  if (rows.length === 0) return
  const at = tx.nextId()
  const changed = rows.map((row): Subscription =>
    isActive
      ? { ...row, isResting: false, periods: [...row.periods, [at, null]] }
      : { ...withEndedPeriod(row, at), isResting: true },
  )
  await tx.db.rows(
    'rest_or_resume',
    `update subscriptions set is_resting = not is_resting, periods = case when is_resting
       then periods + int8multirange(int8range($3::bigint, null))
       else periods - int8multirange(int8range($3::bigint, null)) end
     where organization_id = $1 and user_id = $2 and channel_id = any($4::bigint[])`,
    [tx.organizationId, user.id, at, rows.map((row) => row.channelId)],
  )
  tx.change(subscriptionsProjection, { subscriptions: changed })
  for (const { channelId } of rows) {
    const channel = channelById(tx.organization, channelId)
    if (channel === undefined) continue
    emitPeersToViewers(tx, isActive ? peersAdded : peersRemoved, channel, [user.id])
  }
}

export async function storeFirstMessage(tx: Tx, channel: Channel): Promise<void> {
  if (hasFirstMessage(channel)) return
  const firstMessageId = channel.firstMessageId ?? (await firstMessageOf(tx, channel))
  if (firstMessageId !== null) await changeChannel(tx, channel, { ...channel, firstMessageId, isRecentlyActive: true })
}

export function hasFirstMessage(channel: Channel): boolean {
  return channel.firstMessageId !== null && channel.isRecentlyActive
}

export async function refreshFirstMessage(tx: Tx, channel: Channel): Promise<void> {
  const firstMessageId = await firstMessageOf(tx, channel)
  if (firstMessageId !== channel.firstMessageId) await changeChannel(tx, channel, { ...channel, firstMessageId })
}

async function firstMessageOf(tx: Tx, channel: Channel): Promise<number | null> {
  const [first] = await tx.db.rows<{ id: number | null }>(
    'first_message_of',
    'select min(id) as id from messages where organization_id = $1 and channel_id = $2',
    [tx.organizationId, channel.id],
  )
  return first?.id ?? null
}
