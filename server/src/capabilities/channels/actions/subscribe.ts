import type { Input, Output } from '../../../kernel/endpoint.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { channelOutOfScopeError } from '../../api-tokens/rules.ts'
import { requireMayAddToChannels } from '../../messages/queries/newcomers.ts'
import { userByEmail, type UserRow } from '../../users/queries/index.ts'
import { activeUsers } from '../../users/rules/index.ts'
import type * as contract from '../contract/index.ts'
import { MAX_CHANNELS_AT_ONCE, MAX_SUBSCRIPTIONS_AT_ONCE } from '../contract/index.ts'
import { channelByName, isSubscribed, type Channel } from '../queries/index.ts'
import {
  isDefaultChannel,
  knownChannelByName,
  mayCreateChannel,
  canSeeChannel,
  maySubscribeItself,
  maySubscribeOthers,
  mayUnsubscribe,
  privacyOf,
} from '../rules/index.ts'
import { emitDefaultChannels } from './emit.ts'
import { makeChannel, requireChannelCapacity } from './create.ts'
import { validColor } from './properties.ts'
import { addSubscribers, removeSubscribers } from './subscriptions.ts'

interface RequestedChannel {
  readonly name: string
  readonly description?: string | undefined
  readonly color?: string | undefined
}

type SubscribeInput = Omit<
  Input<typeof contract.subscribe>,
  'subscriptions' | 'announce' | 'send_new_subscription_messages'
> & {
  readonly subscriptions: readonly RequestedChannel[]
}

export interface SubscribeResult {
  readonly answer: Output<typeof contract.subscribe>
  readonly created: readonly Channel[]
  readonly joined: ReadonlyMap<number, readonly Channel[]>
}

export async function subscribeWithoutNotices(
  tx: ActorTx,
  input: SubscribeInput,
  server: ServerFacts,
): Promise<SubscribeResult> {
  const users = resolvePrincipals(tx, input.principals)
  requireWithinLimits(input.subscriptions, users)
  const kind = privacyOf({ inviteOnly: input.invite_only, isWebPublic: input.is_web_public })
  const canCreate = mayCreateChannel(tx.organization, tx.actor, kind)
  const existing: { channel: Channel; color: string | undefined }[] = []
  const missing: RequestedChannel[] = []
  const unauthorized: string[] = []
  for (const wanted of distinctByName(input.subscriptions, ({ name }) => name)) {
    const channel = channelByName(tx.organization, wanted.name.trim())
    // Actors who cannot create channels get the same error for hidden and missing channels.
    const isHidden = channel === undefined || !canSeeChannel(tx.organization, tx.actor, channel)
    if (isHidden && !canCreate) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
    if (channel === undefined) missing.push(wanted)
    else if (maySubscribe(tx, channel, users)) existing.push({ channel, color: wanted.color })
    else unauthorized.push(wanted.name)
  }
  if (unauthorized.length > 0 && input.authorization_errors_fatal) {
    throw new ApiError('BAD_REQUEST', `Unable to access channel (${unauthorized[0] ?? ''}).`)
  }
  const userIds = users.map((user) => user.id)
  await requireMayAddToChannels(tx, tx.actor, userIds)
  const joined = new Map<number, Channel[]>(userIds.map((userId) => [userId, []]))
  const already: Record<string, string[]> = {}
  for (const { channel, color } of existing) {
    const isIn = (user: UserRow): boolean => isSubscribed(tx.organization, user.id, channel.id)
    for (const user of users.filter(isIn)) (already[user.id] ??= []).push(channel.name)
    const joining = users.filter((user) => !isIn(user)).map((user) => user.id)
    await addSubscribers(tx, channel, joining, { color })
    for (const userId of joining) joined.get(userId)?.push(channel)
  }
  const created: Channel[] = []
  if (missing.length > 0) requireChannelCapacity(missing.length, tx)
  for (const wanted of missing) {
    const channel = await makeChannel(tx, wanted, input, userIds, server)
    created.push(channel)
    for (const channels of joined.values()) channels.push(channel)
  }
  emitDefaultChannels(tx, created.filter(isDefaultChannel))
  const subscribed = [...joined].filter(([, channels]) => channels.length > 0)
  const answer = {
    subscribed: Object.fromEntries(subscribed.map(([userId, channels]) => [userId, channels.map(({ name }) => name)])),
    already_subscribed: already,
    ...(input.authorization_errors_fatal ? {} : { unauthorized }),
  }
  return { answer, created, joined }
}

export async function updateSubscriptionsWithoutNotices(
  tx: ActorTx,
  input: Input<typeof contract.updateSubscriptions>,
  server: ServerFacts,
): Promise<SubscribeResult & { answer: Output<typeof contract.updateSubscriptions> }> {
  if (input.add.length === 0 && input.delete.length === 0) {
    throw new ApiError('BAD_REQUEST', "Nothing to do. Specify at least one of 'add' or 'delete'.")
  }
  const added = new Set(input.add.map(({ name }) => channelNameKey(name)))
  if (input.delete.some((name) => added.has(channelNameKey(name)))) {
    throw new ApiError('BAD_REQUEST', "A channel cannot be in both 'add' and 'delete'.")
  }
  for (const { color } of input.add) if (color !== undefined) validColor(color)
  const { removed, not_removed } = await unsubscribe(tx, { subscriptions: input.delete })
  const wanted = { ...DEFAULT_SUBSCRIBE_OPTIONS, subscriptions: input.add }
  const { answer, created, joined } = await subscribeWithoutNotices(tx, wanted, server)
  return { answer: { ...answer, removed, not_removed }, created, joined }
}

const DEFAULT_SUBSCRIBE_OPTIONS = {
  authorization_errors_fatal: true,
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
}

export async function unsubscribe(
  tx: ActorTx,
  input: Input<typeof contract.unsubscribe>,
): Promise<Output<typeof contract.unsubscribe>> {
  const users = resolvePrincipals(tx, input.principals)
  requireWithinLimits(input.subscriptions, users)
  const names = distinctByName(input.subscriptions, (name) => name)
  const channels = names.map((name) => knownChannelByName(tx.organization, tx.actor, name))
  const removed: string[] = []
  const notRemoved: string[] = []
  for (const channel of channels) {
    if (!users.every((user) => mayUnsubscribe(tx.organization, tx.actor, channel, user.id))) {
      throw new ApiError('BAD_REQUEST', 'Insufficient permission')
    }
    const subscribed = users.filter((user) => isSubscribed(tx.organization, user.id, channel.id))
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

function requireWithinLimits(channels: readonly unknown[], users: readonly UserRow[]): void {
  if (channels.length > MAX_CHANNELS_AT_ONCE || channels.length * users.length > MAX_SUBSCRIPTIONS_AT_ONCE) {
    throw new ApiError('BAD_REQUEST', 'Too many subscriptions at once.')
  }
}

function channelNameKey(name: string): string {
  return caseKey(name.trim())
}

function distinctByName<Named>(named: readonly Named[], nameOf: (one: Named) => string): Named[] {
  const first = new Map<string, Named>()
  for (const one of named) {
    const key = channelNameKey(nameOf(one))
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

function maySubscribe(tx: ActorTx, channel: Channel, users: readonly UserRow[]): boolean {
  return users.every(
    (user) =>
      (user.id === tx.actor.userId && isSubscribed(tx.organization, user.id, channel.id)) ||
      (user.id === tx.actor.userId && maySubscribeItself(tx.organization, tx.actor, channel)) ||
      maySubscribeOthers(tx.organization, tx.actor, channel),
  )
}

/** Returns only the actor if the list is absent or empty. Existing clients send an empty list. */
function resolvePrincipals(tx: ActorTx, principals: readonly (string | number)[] = []): UserRow[] {
  requireTokenOwnerOnly(tx, principals)
  return activeUsers(tx.organization, tx.actor, principals.length > 0 ? principals : [tx.actor.userId])
}

/** @throws ApiError if a token acts on another account, whether or not the account exists */
function requireTokenOwnerOnly({ organization, actor }: ActorTx, principals: readonly (string | number)[]): void {
  if (actor.token === undefined) return
  const isOwn = (one: string | number): boolean =>
    (typeof one === 'number' ? one : userByEmail(organization, one)?.id) === actor.userId
  if (!principals.every(isOwn)) throw channelOutOfScopeError()
}
