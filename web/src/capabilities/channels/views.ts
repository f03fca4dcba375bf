import { signal } from '@preact/signals'
import { preference } from '../../platform/preferences.ts'
import { go, shownRoute } from '../../platform/router.ts'

const NO_CHANNELS: readonly number[] = []

/** Channels that open as a feed instead of a topic list. */
const feedChannels = preference('channels.feeds', NO_CHANNELS, isIdList)

function isIdList(kept: unknown): kept is readonly number[] {
  return Array.isArray(kept) && kept.every((id) => Number.isSafeInteger(id))
}

export function opensAsFeed(channelId: number): boolean {
  return feedChannels.read().includes(channelId)
}

export function storeChannelView(channelId: number, view: 'topics' | 'feed'): void {
  if (opensAsFeed(channelId) === (view === 'feed')) return
  const others = feedChannels.read().filter((id) => id !== channelId)
  if (view === 'feed') void feedChannels.write([...others, channelId])
  else void feedChannels.write(others.length === 0 ? NO_CHANNELS : others)
}

export function shownChannelId(): number | undefined {
  const route = shownRoute()
  return route.view === 'channel' || route.view === 'channel-feed' ? route.channelId : undefined
}

export function switchChannelView(): void {
  const channelId = shownChannelId()
  if (channelId === undefined) return
  const isFeed = shownRoute().view === 'channel-feed' || opensAsFeed(channelId)
  storeChannelView(channelId, isFeed ? 'topics' : 'feed')
  go({ view: isFeed ? 'channel' : 'channel-feed', channelId }, { replace: true })
}

export type ChannelTab = 'own' | 'people' | 'channel' | 'permissions'

export const openedChannelSettings = signal<
  { readonly channelId: number; readonly tab: ChannelTab | undefined } | undefined
>(undefined)

/** @param tab without it, the first tab that the person may see */
export function openChannelSettings(channelId: number, tab?: ChannelTab): void {
  openedChannelSettings.value = { channelId, tab }
}

export function closeChannelSettings(): void {
  openedChannelSettings.value = undefined
}

export const isNewChannelOpen = signal(false)

export function openNewChannel(): void {
  isNewChannelOpen.value = true
}
