import type { groups } from '@parley/server/contract'
import { computed, effect, untracked } from '@preact/signals'
import { store, messages } from '../../platform/client.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { isAdministrator, ownId, userById } from '../users/state.ts'
import { subscriptionTo, type Channel } from './state.ts'

export type ChannelKind = 'public' | 'web-public' | 'private' | 'private-history'

const CREATE_PERMISSIONS = {
  public: 'realm_can_create_public_channel_group',
  'web-public': 'realm_can_create_web_public_channel_group',
  private: 'realm_can_create_private_channel_group',
  'private-history': 'realm_can_create_private_channel_group',
} as const

export function creatableChannelKinds(): readonly ChannelKind[] {
  const known = store()
  const hasWebPublic = known.read('server_web_public_streams_enabled') && known.read('realm_enable_spectator_access')
  const kinds: readonly ChannelKind[] = ['public', 'private-history', 'private', 'web-public']
  return kinds.filter(
    (kind) => (kind !== 'web-public' || hasWebPublic) && coversCurrentUser(known.read(CREATE_PERMISSIONS[kind])),
  )
}

export function kindOf({ invite_only, is_web_public, history_public_to_subscribers }: Channel): ChannelKind {
  if (invite_only) return history_public_to_subscribers ? 'private-history' : 'private'
  return is_web_public ? 'web-public' : 'public'
}

export function isGuest(): boolean {
  return store().read('is_guest')
}

export function mayJoin(channel: Channel): boolean {
  if (channel.is_archived) return false
  if (!channel.invite_only && !isGuest()) return true
  return coversCurrentUser(channel.can_subscribe_group) || coversCurrentUser(channel.can_add_subscribers_group)
}

export function mayAdminister(channel: Channel): boolean {
  return isAdministrator() || coversCurrentUser(channel.can_administer_channel_group)
}

export function mayAddOthers(channel: Channel): boolean {
  if (channel.is_archived) return false
  if (coversCurrentUser(channel.can_add_subscribers_group)) return true
  if (!channel.invite_only && mayAdminister(channel)) return true
  const isInside = subscriptionTo(channel.stream_id) !== undefined || (!channel.invite_only && !isGuest())
  return isInside && coversCurrentUser(store().read('realm_can_add_subscribers_group'))
}

export function mayRemoveSubscriber(channel: Channel, userId: number): boolean {
  if (userId === ownId() || isAdministrator() || userById(userId)?.bot_owner_id === ownId()) return true
  return coversCurrentUser(channel.can_remove_subscribers_group)
}

export function mayListPeople(channel: Channel): boolean {
  return subscriptionTo(channel.stream_id) !== undefined || !channel.invite_only || isAdministrator()
}

/** Subscribing to a private channel reveals its messages, so only users who can read it can let others subscribe. */
export function mayChangePermission(channel: Channel, name: string): boolean {
  const grantsContent = name === 'can_add_subscribers_group' || name === 'can_subscribe_group'
  return !grantsContent || !channel.invite_only || subscriptionTo(channel.stream_id) !== undefined || mayJoin(channel)
}

export type GroupValue = groups.GroupSettingValue

export function mayRead(channel: Channel): boolean {
  if (subscriptionTo(channel.stream_id) !== undefined) return true
  if (!channel.invite_only) return !store().read('is_guest')
  const {
    history_public_to_subscribers: isPublic,
    can_add_subscribers_group: adding,
    can_subscribe_group: own,
  } = channel
  return isPublic && (coversCurrentUser(adding) || coversCurrentUser(own))
}

const readableChannelIds = computed(() => {
  const known = store()
  const all = [...known.read('never_subscribed'), ...known.read('unsubscribed'), ...known.read('subscriptions')]
  return new Set(all.filter(mayRead).map(({ stream_id: id }) => id))
})

export function syncReadableChannels(): void {
  effect(() => {
    const { value: now } = readableChannelIds
    untracked(() => messages.setReadable(now))
  })
}
