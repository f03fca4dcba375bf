import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { World } from '../../../kernel/fold.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { execute } from '../../../platform/db/database.ts'
import { settingsNaming } from '../../groups/queries.ts'
import { userById, type UserRow } from '../../users/queries.ts'
import {
  channelCreated,
  channelDeleted,
  channelUpdated,
  defaultChannelsChanged,
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
} from '../contract/index.ts'
import {
  channelById,
  channelsFold,
  isOpen,
  presentChannel,
  presentSubscription,
  subscribersOf,
  subscriptionsFold,
  type Channel,
} from '../queries.ts'
import { audienceKnowing, defaultChannels, isKnownThrough, mayKnow } from '../rules.ts'
import { addSubscribers } from './subscriptions.ts'

/** Tells a user whose role changes which channels it gains and loses sight of. */
export function announceSight(tx: Tx, user: UserRow, role: Role, after: World): void {
  const channels = [...tx.world.of(channelsFold).byId.values()]
  announceTo(tx, user, role, channels, after)
  const defaults = defaultChannels(after, { role })
  if (defaults.length !== defaultChannels(tx.world, user).length) {
    tx.emit(defaultChannelsChanged, { default_streams: defaults }, { users: [user.id] })
  }
}

/**
 * Tells users who come into a group or leave it which channels they gain and lose sight of: of the channels that let
 * some group know of them which holds, or held, that group.
 * @param after the groups as they will be
 */
export function announceSightThrough(tx: Tx, groupId: number, userIds: Iterable<number>, after: World): void {
  const channels = [...tx.world.of(channelsFold).byId.values()].filter((channel) =>
    [tx.world, after].some((world) => isKnownThrough(world, channel, groupId)),
  )
  if (channels.length === 0) return
  for (const userId of new Set(userIds)) {
    const user = userById(tx.world, userId)
    if (user !== undefined) announceTo(tx, user, user.role, channels, after)
  }
}

function announceTo(tx: Tx, user: UserRow, role: Role, channels: readonly Channel[], after: World): void {
  const gained: Channel[] = []
  const lost: Channel[] = []
  for (const channel of channels) {
    const knew = mayKnow(tx.world, { userId: user.id, role: user.role }, channel)
    const knows = mayKnow(after, { userId: user.id, role }, channel)
    if (knows && !knew) gained.push(channel)
    if (knew && !knows) lost.push(channel)
  }
  const audience = { users: [user.id] }
  if (gained.length > 0) {
    const streams = gained.map((channel) => presentChannel(after, channel, 0))
    tx.emit(channelCreated, { streams }, audience)
    showAsLeft(tx, user, gained)
    for (const channel of gained) {
      const userIds = [...subscribersOf(tx.world, channel.id)].toSorted((a, b) => a - b)
      if (userIds.length > 0) tx.emit(peersAdded, { stream_ids: [channel.id], user_ids: userIds }, audience)
    }
  }
  if (lost.length > 0) {
    const ids = lost.map((channel) => channel.id)
    tx.emit(channelDeleted, { stream_ids: ids, streams: ids.map((id) => ({ stream_id: id })) }, audience)
  }
}

/**
 * Lets clients that learn of channels their user had left list them as left, with what was chosen for them: events can
 * say that only as a subscription that ends at once.
 */
function showAsLeft(tx: Tx, user: UserRow, channels: readonly Channel[]): void {
  const mine = tx.world.of(subscriptionsFold).byUser.get(user.id)
  for (const channel of channels) {
    const left = mine?.get(channel.id)
    if (left === undefined) continue
    // As far as these clients know, nobody else is subscribed yet.
    const record = presentSubscription(presentChannel(tx.world, channel, 1), left)
    tx.emit(subscriptionAdded, { subscriptions: [record] }, { users: [user.id] }, channel.id)
    const subscriptions = [{ stream_id: channel.id, name: channel.name }]
    tx.emit(subscriptionRemoved, { subscriptions }, { users: [user.id] })
  }
}

/**
 * Takes a user whose account ends out of the lists of subscribers and of the channels' settings, or puts one back whose
 * account resumes.
 */
export function announceActivity(tx: Tx, user: UserRow, isActive: boolean, after: World): void {
  tx.change(subscriptionsFold, { userId: user.id, isActive })
  for (const subscription of tx.world.of(subscriptionsFold).byUser.get(user.id)?.values() ?? []) {
    const channel = channelById(tx.world, subscription.channelId)
    if (channel === undefined || !isOpen(subscription)) continue
    const peers = { stream_ids: [channel.id], user_ids: [user.id] }
    tx.emit(isActive ? peersAdded : peersRemoved, peers, { ...audienceKnowing(tx.world, channel), except: [user.id] })
  }
  for (const channel of tx.world.of(channelsFold).byId.values()) {
    for (const [property, value] of Object.entries(settingsNaming(after, channel.permissions, user.id))) {
      const update = { stream_id: channel.id, name: channel.name, property, value }
      tx.emit(channelUpdated, update, audienceKnowing(tx.world, channel))
    }
  }
}

/** Subscribes a new person to the channels that everybody starts with. Guests start with none. */
export async function subscribeToDefaults(tx: Tx, user: UserRow): Promise<void> {
  if (user.role === ROLE.guest || user.botType !== null) return
  for (const channel of tx.world.of(channelsFold).byId.values()) {
    if (channel.isDefault && !channel.isArchived) await addSubscribers(tx, channel, [user.id], true)
  }
}

/** Notes a channel's first message, after it was sent. The channel is given as the transaction leaves it. */
export async function noteFirstMessage(tx: Tx, channel: Channel): Promise<void> {
  if (channel.firstMessageId === null) await refreshFirstMessage(tx, channel)
}

/** Notes which message is a channel's first, after messages came, left or were deleted. */
export async function refreshFirstMessage(tx: Tx, channel: Channel): Promise<void> {
  const [changed] = await execute<{ id: number | null }>(
    tx.db,
    `update channels c set first_message_id = first.id
     from (select min(id) as id from messages where organization_id = $1 and channel_id = $2) first
     where c.organization_id = $1 and c.id = $2 and c.first_message_id is distinct from first.id
     returning first.id`,
    [tx.organizationId, channel.id],
  )
  if (changed === undefined) return
  tx.change(channelsFold, { ...channel, firstMessageId: changed.id })
  tx.emit(
    channelUpdated,
    { stream_id: channel.id, name: channel.name, property: 'first_message_id', value: changed.id },
    audienceKnowing(tx.world, channel),
  )
}
