import { call } from '@parley/client'
import { channels, type groups } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { store, sync } from '../../platform/client.ts'
import { askConfirmation } from '../../platform/overlay/confirm.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { unreadOfChannel } from '../unread/state.ts'
import { isAdministrator, ownId, userName } from '../users/state.ts'
import { mayAddOthers, mayJoin, mayRemoveSubscriber, type GroupValue, type ChannelKind } from './rights.ts'
import { channelById, channelName, subscriptionTo, type Channel } from './state.ts'

const subscribe = async (name: string) => call(SESSION, channels.subscribe, { subscriptions: [{ name }] })
const unsubscribe = async (name: string) => call(SESSION, channels.unsubscribe, { subscriptions: [name] })

export async function joinChannel(name: string): Promise<void> {
  const answer = await callOrToast(channels.subscribe, { subscriptions: [{ name }] })
  if (answer !== undefined) offerUndo(tl().channel.joined(name), async () => unsubscribe(name))
}

/** Leaves a channel. Asks for confirmation first if Undo could not restore everything: messages become read. */
export function leaveChannel(channelId: number): void {
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return
  const { name } = channel
  const { count, mutedCount } = unreadOfChannel(channelId)
  const unread = count + mutedCount
  const canReturn = mayJoin(channel)
  if (canReturn && unread === 0) void leaveWithoutAsking(name, true)
  else
    askConfirmation({
      text: canReturn ? tl().channel.leaveUnread(name, unread) : tl().channel.leaveForGood(name),
      action: t().channel.leave,
      run: () => void leaveWithoutAsking(name, canReturn),
    })
}

async function leaveWithoutAsking(name: string, canReturn: boolean): Promise<void> {
  if ((await callOrToast(channels.unsubscribe, { subscriptions: [name] })) === undefined) return
  showUndoToast(tl().channel.left(name), canReturn, async () => subscribe(name))
}

function showUndoToast(text: string, canBeUndone: boolean, inverse: () => Promise<unknown>): void {
  if (canBeUndone) offerUndo(text, inverse)
  else toast(text)
}

interface NewChannel {
  readonly name: string
  readonly description: string
  readonly kind: ChannelKind
  readonly folderId: number | null
  readonly people: readonly number[]
}

/* The functions below throw errors, so that the calling form can show them. */

export async function createChannel({ name, description, kind, folderId, people }: NewChannel): Promise<void> {
  const isPrivate = kind === 'private' || kind === 'private-history'
  const { id } = await call(SESSION, channels.createChannel, {
    name,
    description,
    subscribers: [...people],
    invite_only: isPrivate,
    is_web_public: kind === 'web-public',
    ...(folderId === null ? {} : { folder_id: folderId }),
    ...(isPrivate ? { history_public_to_subscribers: kind === 'private-history' } : {}),
  })
  go({ view: 'channel', channelId: id })
}

export async function changeChannel(
  channelId: number,
  changed: Omit<Input<typeof channels.updateChannel>, 'stream_id'>,
): Promise<void> {
  await call(SESSION, channels.updateChannel, { stream_id: channelId, ...changed })
}

export async function grantPermission(
  channelId: number,
  permission: groups.ChannelPermission,
  before: GroupValue,
  value: GroupValue,
): Promise<'saved'> {
  await changeChannel(channelId, { [permission]: { new: value, old: before } })
  return 'saved'
}

/** @param inverse restores the setting, which the toast names by its title */
export async function changeWithUndo(
  title: string,
  change: () => Promise<unknown>,
  inverse: () => Promise<unknown>,
): Promise<void> {
  await change()
  offerUndo(tl().settings.changed(title), inverse)
}

export async function changeSubscription(
  channelId: number,
  property: channels.SubscriptionProperty,
  value: boolean | string,
  said: string,
): Promise<void> {
  const before = subscriptionTo(channelId)?.[property]
  await setSubscriptionProperty(channelId, property, value)
  if (before !== null && before !== undefined)
    offerUndo(said, async () => setSubscriptionProperty(channelId, property, before))
  // The server has no value for "Use default".
  else toast(said)
}

async function setSubscriptionProperty(
  channelId: number,
  property: channels.SubscriptionProperty,
  value: boolean | string,
): Promise<void> {
  const before = subscriptionTo(channelId)?.[property]
  const input = { stream_id: channelId, property }
  const predict = (chosen: unknown): void =>
    sync.predict({ type: 'subscription', op: 'update', ...input, value: chosen })
  predict(value)
  try {
    await call(SESSION, channels.updateSubscription, { ...input, value })
  } catch (error) {
    predict(before)
    throw error
  }
}

/** Checks a permission again, because the user's own change may have removed it. */
function isStillAllowed(channelId: number, may: (channel: Channel) => boolean): boolean {
  const channel = channelById(channelId)
  return channel !== undefined && may(channel)
}

export async function subscribePeople(channelId: number, userIds: readonly number[]): Promise<void> {
  const name = channelName(channelId)
  const principals = [...userIds]
  await call(SESSION, channels.subscribe, { subscriptions: [{ name }], principals })
  const canBeUndone = isStillAllowed(channelId, (channel) => principals.every((id) => mayRemoveSubscriber(channel, id)))
  showUndoToast(tl().channel.added(principals.length, name), canBeUndone, async () =>
    call(SESSION, channels.unsubscribe, { subscriptions: [name], principals }),
  )
}

export async function unsubscribePerson(channelId: number, userId: number): Promise<void> {
  if (userId === ownId()) {
    leaveChannel(channelId)
    return
  }
  const name = channelName(channelId)
  const input = { principals: [userId] }
  await call(SESSION, channels.unsubscribe, { subscriptions: [name], ...input })
  showUndoToast(tl().channel.removed(userName(userId), name), isStillAllowed(channelId, mayAddOthers), async () =>
    call(SESSION, channels.subscribe, { subscriptions: [{ name }], ...input }),
  )
}

export async function archiveChannel(channelId: number): Promise<void> {
  const name = channelName(channelId)
  // Archiving removes a channel from the default channels, and only administrators can add it again.
  const wasDefault = store().read('realm_default_streams').includes(channelId)
  if ((await callOrToast(channels.archiveChannel, { stream_id: channelId })) === undefined) return
  showUndoToast(tl().channel.archived(name), !wasDefault || isAdministrator(), async () =>
    changeChannel(channelId, { is_archived: false, ...(wasDefault ? { is_default_stream: true } : {}) }),
  )
}

export async function unarchiveChannel(channelId: number): Promise<void> {
  await changeChannel(channelId, { is_archived: false })
  offerUndo(tl().channel.unarchived(channelName(channelId)), async () =>
    call(SESSION, channels.archiveChannel, { stream_id: channelId }),
  )
}

export async function toggleSubscriptionProperty(
  channelId: number,
  property: 'is_muted' | 'pin_to_top',
): Promise<void> {
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return
  const { name, [property]: was } = channel
  const input = { stream_id: channelId, property }
  if ((await callOrToast(channels.updateSubscription, { ...input, value: !was })) === undefined) return
  offerUndo(tl().channel.toggled[property](name, !was), async () =>
    call(SESSION, channels.updateSubscription, { ...input, value: was }),
  )
}
