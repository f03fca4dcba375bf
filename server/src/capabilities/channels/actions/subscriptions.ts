import { createYielder, type Yielder } from '../../../kernel/pauses.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { joinSharedChannel, leaveSharedChannel } from '../../users/actions/visibility.ts'
import type { Member } from '../../groups/rules.ts'
import { userById } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { channelCreated, peersAdded, peersRemoved, subscriptionAdded, subscriptionRemoved } from '../contract/index.ts'
import {
  wasSubscribedAt,
  presentChannel,
  presentSubscription,
  subscribersOf,
  subscriptionsProjection,
  type Channel,
  type Subscription,
} from '../queries/index.ts'
import { channelClientFilter, firstMessageFor, canSeeChannel, readablePart } from '../rules/index.ts'
import { emitNewlyHiddenChannels, emitVisibleChannelSettings } from './emit.ts'
import { emitDefaultChannelsOfBots } from '../../bots/actions/emit.ts'
import { emitFirstMessage, type FirstMessageChange } from './first-message.ts'
import { emitMutedTopicsIn } from '../../user-topics/actions/muted-topics.ts'
import { emitPeers, emitPeersToViewers, emitToMetadataOnlyViewers } from './peers.ts'

/** Lists of at most this many users are not split further: each user gets an event. */
const MAX_USERS_NOTIFIED_INDIVIDUALLY = 8

const SUBSCRIPTION_COLORS = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
]

/** `isNew`: whether this transaction created the channel. `color`: color for users who were never subscribed. */
export async function addSubscribers(
  tx: Tx,
  channel: Channel,
  userIds: readonly number[],
  { isNew = false, color = defaultColorOf(channel) }: { isNew?: boolean; color?: string | undefined } = {},
): Promise<void> {
  if (userIds.length === 0) return
  const since = tx.nextId()
  const known = tx.organization.of(subscriptionsProjection).byUser
  const rows = userIds.map((userId): Subscription => {
    const before = known.get(userId)?.get(channel.id)
    if (before !== undefined) return { ...before, periods: [...before.periods, [since, null]] }
    return { ...newSubscription(userId, channel, color), periods: [[since, null]] }
  })
  await tx.db.rows(
    'add_subscribers',
    `insert into subscriptions as s (organization_id, user_id, channel_id, periods, color)
     select $1, user_id, $2, int8multirange(int8range($3::bigint, null)), $4 from unnest($5::bigint[]) as user_id
     on conflict (organization_id, user_id, channel_id) do update set periods = s.periods + excluded.periods`,
    [tx.organizationId, channel.id, since, color, userIds],
  )
  tx.change(subscriptionsProjection, { subscriptions: rows })
  const sightings = joinSharedChannel(tx, channel.id, userIds)
  const count = subscribersOf(tx.organization, channel.id).size + userIds.length
  const record = presentChannel(tx.organization, channel, count)
  const strangers = isNew ? [] : userIds.filter((userId) => !canAlreadySeeChannel(tx, channel, userId))
  const clients = channelClientFilter(channel)
  if (strangers.length > 0) {
    const before = { ...record, subscriber_count: subscribersOf(tx.organization, channel.id).size }
    tx.emit(channelCreated, { streams: [before] }, { users: strangers, ...clients })
  }
  if (rows[0] !== undefined) {
    const subscriptions = [presentSubscription(record, rows[0])]
    tx.emit(subscriptionAdded, { subscriptions }, { users: userIds, ...clients })
  }
  if (!isNew) {
    const strangerIds = new Set(strangers)
    const knowing = rows.filter((row) => !strangerIds.has(row.userId))
    emitFirstMessage(
      tx,
      channel,
      knowing.map((row) => firstMessageChangeOnSubscribe(tx, channel, row)),
      clients,
    )
  }
  emitPeersToViewers(tx, peersAdded, channel, userIds)
  emitToMetadataOnlyViewers(tx, sightings)
  const places = strangers.map((userId) => ({ userId, channelId: channel.id }))
  emitVisibleChannelSettings(tx, places)
  emitDefaultChannelsOfBots(tx, places)
  await emitMutedTopicsIn(tx, places, clients)
}

export async function removeSubscribers(tx: Tx, channel: Channel, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const until = tx.nextId()
  const known = tx.organization.of(subscriptionsProjection).byUser
  const rows = userIds
    .map((userId) => known.get(userId)?.get(channel.id))
    .filter((row) => row !== undefined)
    .map((row) => withEndedPeriod(row, until))
  await tx.db.rows(
    'remove_subscribers',
    `update subscriptions set periods = periods - int8multirange(int8range($3::bigint, null))
     where organization_id = $1 and channel_id = $2 and user_id = any($4::bigint[])`,
    [tx.organizationId, channel.id, until, userIds],
  )
  tx.change(subscriptionsProjection, { subscriptions: rows })
  const clients = channelClientFilter(channel)
  const subscriptions = [{ stream_id: channel.id, name: channel.name }]
  // Even clients that do not support archived channels get this event: they still count the channel's unread messages.
  tx.emit(subscriptionRemoved, { subscriptions }, { users: userIds })
  const pause = createYielder()
  const [staying, forgetting]: [number[], number[]] = [[], []]
  for (const userId of userIds) {
    ;(canSeeChannelUnsubscribed(tx, channel, userId) ? staying : forgetting).push(userId)
    await pause()
  }
  emitNewlyHiddenChannels(tx, [channel], forgetting, clients)
  emitFirstMessage(
    tx,
    channel,
    staying.map((userId) => firstMessageChangeOnUnsubscribe(tx, channel, userId)),
    clients,
  )
  emitPeersToViewers(tx, peersRemoved, channel, userIds)
  if (staying.length > 0 && forgetting.length > 0) {
    emitPeers(tx, peersRemoved, channel, forgetting, { users: staying, ...clients })
  }
  await emitPeersToEachOther(tx, channel, staying, pause)
  emitToMetadataOnlyViewers(tx, leaveSharedChannel(tx, channel.id, userIds))
  const places = forgetting.map((userId) => ({ userId, channelId: channel.id }))
  emitVisibleChannelSettings(tx, places)
  emitDefaultChannelsOfBots(tx, places)
  await emitMutedTopicsIn(tx, places, clients)
}

/** Splitting the list recursively sends n log n user IDs in total; one event per user would send n². */
async function emitPeersToEachOther(
  tx: Tx,
  channel: Channel,
  userIds: readonly number[],
  pause: Yielder,
): Promise<void> {
  if (userIds.length < 2) return
  await pause()
  const notify = (users: readonly number[], removed: readonly number[]): void =>
    emitPeers(tx, peersRemoved, channel, removed, { users, ...channelClientFilter(channel) })
  if (userIds.length <= MAX_USERS_NOTIFIED_INDIVIDUALLY) {
    for (const userId of userIds) {
      notify(
        [userId],
        userIds.filter((other) => other !== userId),
      )
    }
    return
  }
  const half = Math.ceil(userIds.length / 2)
  const [some, others] = [userIds.slice(0, half), userIds.slice(half)]
  notify(some, others)
  notify(others, some)
  await emitPeersToEachOther(tx, channel, some, pause)
  await emitPeersToEachOther(tx, channel, others, pause)
}

export function withEndedPeriod(row: Subscription, until: number): Subscription {
  const last = row.periods.at(-1)
  if (last === undefined) throw new Error('a subscription without a period')
  return { ...row, periods: [...row.periods.slice(0, -1), [last[0], until]] }
}

function canAlreadySeeChannel(tx: Tx, channel: Channel, userId: number): boolean {
  const user = userById(tx.organization, userId)
  return user !== undefined && canSeeChannel(tx.organization, { userId, role: user.role }, channel)
}

function canSeeChannelUnsubscribed(tx: Tx, channel: Channel, userId: number): boolean {
  const user = userById(tx.organization, userId)
  if (user === undefined) return false
  return canSeeChannel(tx.organization, { userId, role: user.role }, channel, 'unsubscribed')
}

function firstMessageChangeOnSubscribe(tx: Tx, channel: Channel, row: Subscription): FirstMessageChange {
  const { firstMessageId: id, historyPublic } = channel
  const before = firstMessageFor(tx.organization, memberOf(tx, row.userId), channel)
  return { userId: row.userId, before, after: id !== null && (historyPublic || wasSubscribedAt(row, id)) ? id : null }
}

function firstMessageChangeOnUnsubscribe(tx: Tx, channel: Channel, userId: number): FirstMessageChange {
  const member = memberOf(tx, userId)
  const before = firstMessageFor(tx.organization, member, channel)
  const isReadable = readablePart(tx.organization, member, channel, 'unsubscribed') === 'all'
  return { userId, before, after: isReadable ? channel.firstMessageId : null }
}

function memberOf(tx: Tx, userId: number): Member {
  return { userId, role: knownUser(tx.organization, userId).role }
}

function newSubscription(userId: number, channel: Channel, color: string): Omit<Subscription, 'periods'> {
  return {
    userId,
    channelId: channel.id,
    isResting: false,
    color,
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
  }
}

export function defaultColorOf(channel: Pick<Channel, 'id'>): string {
  return SUBSCRIPTION_COLORS[channel.id % SUBSCRIPTION_COLORS.length] ?? '#76ce90'
}
