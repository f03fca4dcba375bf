import { isDeepStrictEqual } from 'node:util'
import { ROLE } from '../../../kernel/actor.ts'
import type { Audience } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { realmUpdated } from '../../organizations/contract/events.ts'
import { CHANNEL_SETTINGS } from '../../organizations/contract/settings.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { usersProjection } from '../../users/queries/index.ts'
import {
  CHANNEL_PROPERTIES,
  channelCreated,
  channelDeleted,
  channelUpdated,
  defaultChannelsChanged,
  peersAdded,
  subscriptionAdded,
  subscriptionRemoved,
  type ChannelProperty,
  type ChannelRecord,
  type ChannelUpdate,
} from '../contract/index.ts'
import {
  channelsProjection,
  isCurrentSubscription,
  presentChannel,
  presentSubscription,
  sortedSubscribers,
  subscribersOf,
  subscriptionsProjection,
  type Channel,
  type UserChannel,
} from '../queries/index.ts'
import type { Member } from '../../groups/rules.ts'
import {
  channelAudience,
  channelClientFilter,
  CONTENT_PERMISSIONS,
  METADATA_PERMISSIONS,
  isDefaultChannel,
  canSeeChannel,
} from '../rules/index.ts'
import { isMetadataOnlyViewer } from '../rules/outside-viewers.ts'
import { emitDefaultChannelsOfBots } from '../../bots/actions/emit.ts'
import { emitFirstMessages } from './first-message.ts'
import { removeFromDefaultChannelGroups } from '../../default-channel-groups/actions.ts'
import { emitMutedTopicsIn } from '../../user-topics/actions/muted-topics.ts'
import { emitPeers, emitVisiblePeers } from './peers.ts'

type ClientFilter = Pick<Audience, 'clients'>

export async function changeChannel(tx: Tx, before: Channel, after: Channel): Promise<void> {
  await saveChannel(tx, after)
  const { gaining, losing } = visibilityChange(tx, before, after)
  const [gained, lost] = [memberIdsOf(gaining), memberIdsOf(losing)]
  const clients = channelClientFilter(before.isArchived ? before : after)
  emitNewlyHiddenChannels(tx, [before], lost, clients)
  for (const update of channelUpdates(
    presentChannel(tx.organization, before),
    presentChannel(tx.organization, after),
  )) {
    tx.emit(channelUpdated, update, { ...channelAudience(tx.organization, after), except: gained, ...clients })
  }
  if (mayFirstMessageChange(before, after)) {
    emitFirstMessages(tx, before, after, excludeMembers(membersWhoCanSee(tx, after), gaining), gained, clients)
  }
  emitNewlyVisibleChannels(tx, [after], gaining, clients)
  emitVisibleChannelSettings(tx, pairUsersWithChannel(after, [...lost, ...gained]))
  const renamedFor = before.name === after.name ? gained : memberIdsOf(membersWhoCanSee(tx, after))
  const places = pairUsersWithChannel(after, [...lost, ...renamedFor])
  emitDefaultChannelsOfBots(tx, places)
  await emitMutedTopicsIn(tx, places, clients)
  if (before.isArchived !== after.isArchived) await emitArchiving(tx, before, after)
  if (isDefaultChannel(before) !== isDefaultChannel(after)) emitDefaultChannels(tx, [after])
  await removeFromDefaultChannelGroups(tx, before, after)
}

/** Clients without the capability `archived_channels` see archiving as deletion, and unarchiving as creation. */
async function emitArchiving(tx: Tx, before: Channel, after: Channel): Promise<void> {
  const clients: ClientFilter = { clients: { capability: 'archived_channels', has: false } }
  const members = membersWhoCanSee(tx, after)
  const userIds = memberIdsOf(members)
  if (after.isArchived) emitNewlyHiddenChannels(tx, [before], userIds, clients)
  else emitNewlyVisibleChannels(tx, [after], members, clients)
  await emitMutedTopicsIn(tx, pairUsersWithChannel(after, userIds), clients)
}

function pairUsersWithChannel(channel: Channel, userIds: readonly number[]): UserChannel[] {
  return userIds.map((userId) => ({ userId, channelId: channel.id }))
}

function visibilityChange(tx: Tx, before: Channel, after: Channel): { gaining: Member[]; losing: Member[] } {
  const isSame =
    before.inviteOnly === after.inviteOnly &&
    METADATA_PERMISSIONS.every((name) => isDeepStrictEqual(before.permissions[name], after.permissions[name]))
  if (isSame) return { gaining: [], losing: [] }
  const [knew, know] = [membersWhoCanSee(tx, before), membersWhoCanSee(tx, after)]
  return { gaining: excludeMembers(know, knew), losing: excludeMembers(knew, know) }
}

function membersWhoCanSee(tx: Tx, channel: Channel): Member[] {
  return [...tx.organization.of(usersProjection).byId.values()]
    .filter((user) => user.isActive)
    .map((user): Member => ({ userId: user.id, role: user.role }))
    .filter((member) => canSeeChannel(tx.organization, member, channel))
}

function excludeMembers(members: readonly Member[], others: readonly Member[]): Member[] {
  const ids = new Set(memberIdsOf(others))
  return members.filter(({ userId }) => !ids.has(userId))
}

function memberIdsOf(members: readonly Member[]): number[] {
  return members.map(({ userId }) => userId)
}

function mayFirstMessageChange(before: Channel, after: Channel): boolean {
  if (before.firstMessageId === null && after.firstMessageId === null) return false
  return (
    before.firstMessageId !== after.firstMessageId ||
    before.inviteOnly !== after.inviteOnly ||
    before.historyPublic !== after.historyPublic ||
    CONTENT_PERMISSIONS.some((name) => !isDeepStrictEqual(before.permissions[name], after.permissions[name]))
  )
}

const FIELDS_SENT_TOGETHER: Readonly<
  Partial<Record<ChannelProperty, readonly (keyof ChannelRecord & keyof ChannelUpdate)[]>>
> = {
  description: ['rendered_description'],
  invite_only: ['history_public_to_subscribers', 'is_web_public'],
}

function* channelUpdates(before: ChannelRecord, after: ChannelRecord): Generator<ChannelUpdate> {
  const { stream_id, name } = after
  for (const property of CHANNEL_PROPERTIES) {
    if (property === 'first_message_id') continue
    const beside = FIELDS_SENT_TOGETHER[property] ?? []
    if ([property, ...beside].every((key) => isDeepStrictEqual(before[key], after[key]))) continue
    const together = Object.fromEntries(beside.map((key) => [key, after[key]]))
    yield { stream_id, name, property, value: after[property], ...together }
  }
}

export function emitNewlyVisibleChannels(
  tx: Tx,
  channels: readonly Channel[],
  members: readonly Member[],
  clients: ClientFilter,
  after: OrganizationState = tx.organization,
): void {
  if (channels.length === 0 || members.length === 0) return
  const streams = channels.map((channel) => presentChannel(after, channel, 0))
  tx.emit(channelCreated, { streams }, { users: memberIdsOf(members), ...clients })
  for (const channel of channels) emitNewlyVisibleSubscriptions(tx, channel, members, clients)
}

function emitNewlyVisibleSubscriptions(
  tx: Tx,
  channel: Channel,
  members: readonly Member[],
  clients: ClientFilter,
): void {
  const { byUser } = tx.organization.of(subscriptionsProjection)
  const subscribers = sortedSubscribers(tx.organization, channel.id)
  const rows = members.map(({ userId }) => byUser.get(userId)?.get(channel.id)).filter((row) => row !== undefined)
  const [subscribed, left] = [rows.filter(isCurrentSubscription), rows.filter((row) => !isCurrentSubscription(row))]
  if (subscribed[0] !== undefined) {
    const record = presentSubscription(presentChannel(tx.organization, channel), subscribed[0])
    const users = subscribed.map((row) => row.userId)
    tx.emit(subscriptionAdded, { subscriptions: [record] }, { users, ...clients })
  }
  if (left[0] !== undefined) {
    // Events can express a past subscription only as a subscription that ends immediately.
    const record = presentSubscription(presentChannel(tx.organization, channel, 1), left[0])
    const users = left.map((row) => row.userId)
    tx.emit(subscriptionAdded, { subscriptions: [record] }, { users, ...clients })
    const subscriptions = [{ stream_id: channel.id, name: channel.name }]
    tx.emit(subscriptionRemoved, { subscriptions }, { users, ...clients })
  }
  const outside = members.filter(({ userId }) => !subscribersOf(tx.organization, channel.id).has(userId))
  const metadataOnlyViewers = outside.filter((member) => isMetadataOnlyViewer(tx.organization, member, channel.id))
  emitVisiblePeers(tx, peersAdded, channel, subscribers, metadataOnlyViewers, clients)
  const users = memberIdsOf(excludeMembers(outside, metadataOnlyViewers))
  if (subscribers.length === 0 || users.length === 0) return
  emitPeers(tx, peersAdded, channel, subscribers, { users, ...clients })
}

export function emitNewlyHiddenChannels(
  tx: Tx,
  channels: readonly Channel[],
  userIds: readonly number[],
  clients: ClientFilter,
): void {
  if (channels.length === 0 || userIds.length === 0) return
  const ids = channels.map((channel) => channel.id)
  const payload = { stream_ids: ids, streams: ids.map((id) => ({ stream_id: id })) }
  tx.emit(channelDeleted, payload, { users: userIds, ...clients })
}

export function emitDefaultChannels(tx: Tx, changed: readonly Channel[]): void {
  if (changed.length === 0) return
  const { byId } = tx.organization.of(channelsProjection)
  const after = new Map([...byId, ...changed.map((channel) => [channel.id, channel] as const)])
  const ids = [...after.values()].filter(isDefaultChannel).map((channel) => channel.id)
  tx.emit(defaultChannelsChanged, { default_streams: ids }, { roleAtMost: ROLE.member })
}

export async function insertChannel(tx: Tx, channel: Channel): Promise<void> {
  await tx.db
    .insertInto('channels')
    .values({
      organization_id: tx.organizationId,
      id: channel.id,
      date_created: channel.dateCreated,
      creator_id: channel.creatorId,
      ...channelColumns(channel),
    })
    .execute()
  tx.change(channelsProjection, channel)
}

async function saveChannel(tx: Tx, channel: Channel): Promise<void> {
  await tx.db
    .updateTable('channels')
    .set(channelColumns(channel))
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', channel.id)
    .execute()
  tx.change(channelsProjection, channel)
}

function channelColumns(channel: Channel) {
  return {
    name: channel.name,
    name_key: caseKey(channel.name),
    description: channel.description,
    rendered_description: channel.renderedDescription,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    web_public_from: channel.webPublicFrom,
    hidden_from_search_engines: channel.isHiddenFromSearchEngines,
    history_public_to_subscribers: channel.historyPublic,
    is_default: channel.isDefault,
    is_archived: channel.isArchived,
    message_retention_days: channel.messageRetentionDays,
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId,
    first_message_id: channel.firstMessageId,
    is_recently_active: channel.isRecentlyActive,
    weekly_traffic: channel.weeklyTraffic,
    permissions: JSON.stringify(channel.permissions),
  }
}

/** Sends organization settings that name a channel to users for whom the channel becomes visible or hidden. */
export function emitVisibleChannelSettings(tx: Tx, places: readonly UserChannel[]): void {
  for (const property of CHANNEL_SETTINGS) {
    const value = settingOf(tx.organization, property)
    const users = places.filter(({ channelId }) => channelId === value).map(({ userId }) => userId)
    // Each recipient gets the value they can see.
    if (users.length > 0) tx.emit(realmUpdated, { property, value }, { users })
  }
}
