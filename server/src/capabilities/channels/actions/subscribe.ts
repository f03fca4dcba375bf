import type { Input, Output } from '../../../kernel/endpoint.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/capability.ts'
import { userById, type UserRow } from '../../users/queries.ts'
import { visibleUserByEmail } from '../../users/rules.ts'
import type * as contract from '../contract/index.ts'
import { MAX_CHANNELS_AT_ONCE, MAX_SUBSCRIPTIONS_AT_ONCE } from '../contract/index.ts'
import { channelByName, isSubscribed, type Channel } from '../queries.ts'
import {
  audienceKnowing,
  knownChannelByName,
  mayCreate,
  mayKnow,
  maySubscribeItself,
  maySubscribeOthers,
  mayUnsubscribe,
} from '../rules.ts'
import { announceChannel, announceDefaults, createChannel } from './create.ts'
import { addSubscribers, removeSubscribers } from './subscriptions.ts'

/** Makes the channels that do not exist and subscribes the principals to all that were named. */
export async function subscribe(
  tx: ActorTx,
  input: Input<typeof contract.subscribe>,
  server: ServerFacts,
): Promise<Output<typeof contract.subscribe>> {
  const users = principalsOf(tx, input.principals)
  requireFewEnough(input.subscriptions, users)
  const canCreate = mayCreate(tx.world, tx.actor, input.invite_only)
  const existing: Channel[] = []
  const missing: (typeof input.subscriptions)[number][] = []
  const unauthorized: string[] = []
  for (const wanted of onceEach(input.subscriptions, ({ name }) => name)) {
    const channel = channelByName(tx.world, wanted.name.trim())
    // The name of a channel that is hidden from somebody cannot be used again; who may make none is not told so.
    const isHidden = channel === undefined || !mayKnow(tx.world, tx.actor, channel)
    if (isHidden && !canCreate) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
    if (channel === undefined) missing.push(wanted)
    else if (maySubscribe(tx, channel, users)) existing.push(channel)
    else unauthorized.push(wanted.name)
  }
  if (unauthorized.length > 0 && input.authorization_errors_fatal) {
    throw new Refusal('BAD_REQUEST', `Unable to access channel (${unauthorized[0] ?? ''}).`)
  }
  const subscribed: Record<string, string[]> = {}
  const already: Record<string, string[]> = {}
  for (const channel of existing) await addMissing(tx, channel, users, subscribed, already)
  const created: Channel[] = []
  for (const wanted of missing) {
    const channel = await createChannel(tx, wanted, input, server)
    created.push(channel)
    announceChannel(tx, channel, audienceOfNew(tx, channel, users))
    await addSubscribers(
      tx,
      channel,
      users.map((user) => user.id),
      true,
    )
    for (const user of users) (subscribed[user.id] ??= []).push(channel.name)
  }
  announceDefaults(tx, created)
  return {
    subscribed,
    already_subscribed: already,
    ...(input.authorization_errors_fatal ? {} : { unauthorized }),
  }
}

/** Unsubscribes the principals from channels that exist and that the actor may take them out of. */
export async function unsubscribe(
  tx: ActorTx,
  input: Input<typeof contract.unsubscribe>,
): Promise<Output<typeof contract.unsubscribe>> {
  const users = principalsOf(tx, input.principals)
  requireFewEnough(input.subscriptions, users)
  const names = onceEach(input.subscriptions, (name) => name)
  const channels = names.map((name) => knownChannelByName(tx.world, tx.actor, name))
  const removed: string[] = []
  const notRemoved: string[] = []
  for (const channel of channels) {
    if (!users.every((user) => mayUnsubscribe(tx.world, tx.actor, channel, user.id))) {
      throw new Refusal('BAD_REQUEST', 'Insufficient permission')
    }
    const subscribed = users.filter((user) => isSubscribed(tx.world, user.id, channel.id))
    await removeSubscribers(
      tx,
      channel,
      subscribed.map((user) => user.id),
    )
    if (subscribed.length < users.length) notRemoved.push(channel.name)
    if (subscribed.length > 0) removed.push(channel.name)
  }
  return { removed, not_removed: notRemoved }
}

function requireFewEnough(channels: readonly unknown[], users: readonly UserRow[]): void {
  if (channels.length > MAX_CHANNELS_AT_ONCE || channels.length * users.length > MAX_SUBSCRIPTIONS_AT_ONCE) {
    throw new Refusal('BAD_REQUEST', 'Too many subscriptions at once.')
  }
}

/** The first of those whose names differ only in case or in blanks around them. */
function onceEach<Named>(named: readonly Named[], nameOf: (one: Named) => string): Named[] {
  const first = new Map<string, Named>()
  for (const one of named) {
    const key = caseKey(nameOf(one).trim())
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

function maySubscribe(tx: ActorTx, channel: Channel, users: readonly UserRow[]): boolean {
  return users.every(
    (user) =>
      (user.id === tx.actor.userId && isSubscribed(tx.world, user.id, channel.id)) ||
      (user.id === tx.actor.userId && maySubscribeItself(tx.world, tx.actor, channel)) ||
      maySubscribeOthers(tx.world, tx.actor, channel),
  )
}

async function addMissing(
  tx: ActorTx,
  channel: Channel,
  users: readonly UserRow[],
  subscribed: Record<string, string[]>,
  already: Record<string, string[]>,
): Promise<void> {
  const missing: number[] = []
  for (const user of users) {
    const isIn = isSubscribed(tx.world, user.id, channel.id)
    if (!isIn) missing.push(user.id)
    const list = isIn ? already : subscribed
    ;(list[user.id] ??= []).push(channel.name)
  }
  await addSubscribers(tx, channel, missing, false)
}

/** Nobody is subscribed yet, but those who are about to be must know of the channel first. */
function audienceOfNew(tx: ActorTx, channel: Channel, users: readonly UserRow[]): ReturnType<typeof audienceKnowing> {
  const audience = audienceKnowing(tx.world, channel)
  return { ...audience, users: [...(audience.users ?? []), ...users.map((user) => user.id)] }
}

/** The users meant; the requester when the list is left out or empty, as existing clients send it. */
function principalsOf(tx: ActorTx, principals: readonly (string | number)[] = []): UserRow[] {
  const given = principals.length > 0 ? principals : [tx.actor.userId]
  const users = given.map((principal) => {
    const user =
      typeof principal === 'number' ? userById(tx.world, principal) : visibleUserByEmail(tx.world, tx.actor, principal)
    if (user === undefined || user.isSystemBot) throw new Refusal('BAD_REQUEST', 'No such user')
    if (!user.isActive) throw new Refusal('BAD_REQUEST', `User '${user.fullName}' is deactivated`)
    return user
  })
  return [...new Set(users)]
}
