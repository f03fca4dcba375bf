import type { channels } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import type { Message } from '../../kernel/message.ts'
import { isResolvedTopic, RESOLVED_PREFIX } from '../../kernel/topic.ts'
import { store } from '../../platform/client.ts'
import { activeFolders } from '../channel-folders/state.ts'

export type Subscription = channels.SubscriptionRecord
export type Channel = channels.SubscriptionRecord | channels.ListedChannel

const channelsById = computed(() => {
  const known = store()
  return new Map<number, Channel>(
    [...known.read('never_subscribed'), ...known.read('unsubscribed'), ...known.read('subscriptions')].map(
      (channel) => [channel.stream_id, channel],
    ),
  )
})

const subscriptionsById = computed(
  () =>
    new Map(
      store()
        .read('subscriptions')
        .map((channel) => [channel.stream_id, channel]),
    ),
)

export function channelById(id: number): Channel | undefined {
  return channelsById.value.get(id)
}

export function channelIcon(id: number): IconName {
  return channelById(id)?.invite_only === true ? 'lock' : 'hash'
}

export function subscriptionTo(id: number): channels.SubscriptionRecord | undefined {
  return subscriptionsById.value.get(id)
}

export function isInArchivedChannel({ stream_id: id }: Pick<Message, 'stream_id'>): boolean {
  return id !== undefined && channelsById.value.get(id)?.is_archived === true
}

export function channelName(id: number): string {
  return channelsById.value.get(id)?.name ?? ''
}

/** Returns copies, because events change channels in place, and components rerender only for new objects. */
export function allChannels(): readonly Channel[] {
  return [...channelsById.value.values()].map((channel) => ({ ...channel })).toSorted(compareNames)
}

export function compareNames(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name)
}

export interface ChannelSection {
  readonly key: string
  readonly name: string | undefined
  readonly channels: readonly channels.SubscriptionRecord[]
}

export const channelSections = computed((): readonly ChannelSection[] => {
  const known = store()
  const all = known
    .read('subscriptions')
    .filter((channel) => !channel.is_archived)
    .toSorted(compareNames)
  const hasFolders = known.read('user_settings')['web_left_sidebar_show_channel_folders'] !== false
  const folders = hasFolders ? activeFolders.value : []
  const inFolder = (id: number | null) => all.filter((channel) => !channel.pin_to_top && channel.folder_id === id)
  const foldered = folders.map(({ id, name }) => ({ key: `folder-${id}`, name, channels: inFolder(id) }))
  const known_ = new Set(folders.map(({ id }) => id))
  return [
    { key: 'pinned', name: undefined, channels: all.filter((channel) => channel.pin_to_top) },
    ...foldered,
    {
      key: 'other',
      name: undefined,
      channels: all.filter(
        (channel) => !channel.pin_to_top && (channel.folder_id === null || !known_.has(channel.folder_id)),
      ),
    },
  ].filter((section) => section.channels.length > 0)
})

const DEMOTION_POLICIES = { always: 2, never: 3 } as const
/** With up to this many channels, inactive channels are not demoted by default. */
const MAX_CHANNELS_WITHOUT_DEMOTION = 30

export function isDemoted(channel: Subscription): boolean {
  if (channel.is_recently_active) return false
  const policy = store().read('user_settings')['demote_inactive_streams']
  return (
    policy === DEMOTION_POLICIES.always ||
    (policy !== DEMOTION_POLICIES.never && subscriptionsById.value.size > MAX_CHANNELS_WITHOUT_DEMOTION)
  )
}

/** Returns the maximum length of a topic, including the resolved prefix, which the server does not count. */
export function maxTopicLength(topic: string): number {
  return store().read('max_topic_length') + (isResolvedTopic(topic) ? RESOLVED_PREFIX.length : 0)
}

const channelsByKey = computed(() => new Map(allChannels().map((channel) => [caseKey(channel.name), channel])))

export function channelNamed(name: string): Channel | undefined {
  return channelsByKey.value.get(caseKey(name))
}
