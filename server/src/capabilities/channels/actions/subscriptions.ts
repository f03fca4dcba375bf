import type { Tx } from '../../../kernel/transaction.ts'
import { userById } from '../../users/queries.ts'
import {
  channelCreated,
  channelDeleted,
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
} from '../contract/index.ts'
import {
  presentChannel,
  presentSubscription,
  subscribersOf,
  subscriptionsFold,
  type Channel,
  type Subscription,
} from '../queries.ts'
import { audienceKnowing, mayKnow } from '../rules.ts'
import { execute } from '../../../platform/db/database.ts'

/** Colours that subscriptions take in turn. */
const COLORS = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5', '#f5ce6e']

/**
 * Subscribes users who are not, and tells them and everybody else who may know of the channel.
 * @param isNew whether the channel is being made by the same transaction, so that nobody knows of it yet
 */
export async function addSubscribers(
  tx: Tx,
  channel: Channel,
  userIds: readonly number[],
  isNew: boolean,
): Promise<void> {
  if (userIds.length === 0) return
  const since = tx.take()
  const known = tx.world.of(subscriptionsFold).byUser
  const rows = userIds.map((userId): Subscription => {
    const before = known.get(userId)?.get(channel.id)
    if (before !== undefined) return { ...before, periods: [...before.periods, [since, null]] }
    return { ...fresh(userId, channel), periods: [[since, null]] }
  })
  await execute(
    tx.db,
    `insert into subscriptions as s (organization_id, user_id, channel_id, periods, color)
     select $1, user_id, $2, int8multirange(int8range($3::bigint, null)), $4 from unnest($5::bigint[]) as user_id
     on conflict (organization_id, user_id, channel_id) do update set periods = s.periods + excluded.periods`,
    [tx.organizationId, channel.id, since, colorOf(channel), userIds],
  )
  tx.change(subscriptionsFold, { subscriptions: rows })
  const count = subscribersOf(tx.world, channel.id).size + userIds.length
  const record = presentChannel(tx.world, channel, count)
  const strangers = isNew ? [] : userIds.filter((userId) => !knew(tx, channel, userId))
  if (strangers.length > 0) {
    const before = { ...record, subscriber_count: subscribersOf(tx.world, channel.id).size }
    tx.emit(channelCreated, { streams: [before] }, { users: strangers })
  }
  // Those who were never subscribed get the same record; the others keep what they had chosen.
  const first = rows.filter((row) => row.periods.length === 1)
  if (first[0] !== undefined) {
    const users = first.map((row) => row.userId)
    tx.emit(subscriptionAdded, { subscriptions: [presentSubscription(record, first[0])] }, { users }, channel.id)
  }
  for (const row of rows.filter((candidate) => candidate.periods.length > 1)) {
    tx.emit(
      subscriptionAdded,
      { subscriptions: [presentSubscription(record, row)] },
      { users: [row.userId] },
      channel.id,
    )
  }
  const others = { ...audienceKnowing(tx.world, channel), except: userIds }
  tx.emit(peersAdded, { stream_ids: [channel.id], user_ids: ascending(userIds) }, others)
}

/** Unsubscribes users who are subscribed, and tells them and everybody else who may know of the channel. */
export async function removeSubscribers(tx: Tx, channel: Channel, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const until = tx.take()
  const known = tx.world.of(subscriptionsFold).byUser
  const rows = userIds
    .map((userId) => known.get(userId)?.get(channel.id))
    .filter((row) => row !== undefined)
    .map((row): Subscription => ({ ...row, periods: [...row.periods.slice(0, -1), [lastStart(row), until]] }))
  await execute(
    tx.db,
    `update subscriptions set periods = periods - int8multirange(int8range($3::bigint, null))
     where organization_id = $1 and channel_id = $2 and user_id = any($4::bigint[])`,
    [tx.organizationId, channel.id, until, userIds],
  )
  tx.change(subscriptionsFold, { subscriptions: rows })
  tx.emit(subscriptionRemoved, { subscriptions: [{ stream_id: channel.id, name: channel.name }] }, { users: userIds })
  const [staying, forgetting]: [number[], number[]] = [[], []]
  for (const userId of userIds) (stillKnows(tx, channel, userId) ? staying : forgetting).push(userId)
  if (forgetting.length > 0) {
    tx.emit(channelDeleted, { stream_ids: [channel.id], streams: [{ stream_id: channel.id }] }, { users: forgetting })
  }
  const others = { ...audienceKnowing(tx.world, channel), except: userIds }
  tx.emit(peersRemoved, { stream_ids: [channel.id], user_ids: ascending(userIds) }, others)
  if (staying.length > 0 && forgetting.length > 0) {
    tx.emit(peersRemoved, { stream_ids: [channel.id], user_ids: ascending(forgetting) }, { users: staying })
  }
  tellEachOther(tx, channel, staying)
}

/**
 * Tells each of those who were removed together of all the others: each half of them of the other half, and so on in
 * each half. That names n log n users in all, where an event for each of them would name n².
 */
function tellEachOther(tx: Tx, channel: Channel, userIds: readonly number[]): void {
  if (userIds.length < 2) return
  const half = Math.ceil(userIds.length / 2)
  const [some, others] = [userIds.slice(0, half), userIds.slice(half)]
  for (const [told, removed] of [
    [some, others],
    [others, some],
  ] as const) {
    tx.emit(peersRemoved, { stream_ids: [channel.id], user_ids: ascending(removed) }, { users: told })
    tellEachOther(tx, channel, told)
  }
}

function ascending(userIds: readonly number[]): number[] {
  return [...userIds].toSorted((a, b) => a - b)
}

function lastStart(row: Subscription): number {
  const last = row.periods.at(-1)
  if (last === undefined) throw new Error('a subscription without a period')
  return last[0]
}

function knew(tx: Tx, channel: Channel, userId: number): boolean {
  const user = userById(tx.world, userId)
  return user !== undefined && mayKnow(tx.world, { userId, role: user.role }, channel)
}

/** Whether somebody who is losing the subscription may still know of the channel without it. */
function stillKnows(tx: Tx, channel: Channel, userId: number): boolean {
  const user = userById(tx.world, userId)
  if (user === undefined) return false
  return mayKnow(tx.world, { userId, role: user.role }, channel, 'unsubscribed')
}

function fresh(userId: number, channel: Channel): Omit<Subscription, 'periods'> {
  return {
    userId,
    channelId: channel.id,
    color: colorOf(channel),
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
  }
}

function colorOf(channel: Channel): string {
  return COLORS[channel.id % COLORS.length] ?? '#76ce90'
}
