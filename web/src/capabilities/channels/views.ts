import { preference } from '../../platform/preferences.ts'
import { go, shown } from '../../platform/router.ts'

const NONE: readonly number[] = []

/** A channel opens as the list of its topics; those that open as a feed are remembered. */
const feeds = preference('channels.feeds', NONE, isIds)

function isIds(kept: unknown): kept is readonly number[] {
  return Array.isArray(kept) && kept.every((id) => Number.isSafeInteger(id))
}

export function opensAsFeed(channelId: number): boolean {
  return feeds.read().includes(channelId)
}

/** Remembers how a channel opens from now on. */
export function rememberView(channelId: number, view: 'topics' | 'feed'): void {
  if (opensAsFeed(channelId) === (view === 'feed')) return
  const others = feeds.read().filter((id) => id !== channelId)
  if (view === 'feed') void feeds.write([...others, channelId])
  else void feeds.write(others.length === 0 ? NONE : others)
}

/** The channel that is shown as a whole. */
export function shownChannel(): number | undefined {
  const route = shown()
  return route.view === 'channel' || route.view === 'channel-feed' ? route.channelId : undefined
}

/** Shows the feed of the channel in place of its topics, or the other way. */
export function switchView(): void {
  const channelId = shownChannel()
  if (channelId === undefined) return
  const isFeed = shown().view === 'channel-feed' || opensAsFeed(channelId)
  rememberView(channelId, isFeed ? 'topics' : 'feed')
  go({ view: isFeed ? 'channel' : 'channel-feed', channelId }, { replace: true })
}
