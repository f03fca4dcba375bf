import { conversationOf, placeKey, type Conversation } from '../../kernel/route.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { channelSections } from '../channels/state.ts'
import { unreadConversations, unreadTopicsOf, type UnreadConversation } from '../unread/state.ts'

export type MoveStep = 1 | -1

const countsAsUnread = ({ isMuted, mentions }: UnreadConversation): boolean => !isMuted || mentions > 0

function shownConversation(): Conversation | undefined {
  const route = shownRoute()
  return route.view === 'not-found' ? undefined : conversationOf(route)
}

function conversationLinks(): HTMLElement[] {
  const links = document.querySelectorAll<HTMLElement>(
    '.sidebar a[data-item][href^="/dm/"], .sidebar a[data-item][href^="/c/"]:not(.is-second)',
  )
  return [...links].filter((link) => link.closest('[data-part="views"]') === null)
}

/** Opens the next or previous conversation in the sidebar, or the first or last if it does not list the current one. */
export function moveFocusByRow(step: MoveStep): void {
  const all = conversationLinks()
  const at = all.findIndex((row) => row.ariaCurrent === 'page')
  const next = at === -1 ? all.at(step === 1 ? 0 : -1) : all[(at + step + all.length) % all.length]
  next?.click()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Returns unread conversations in sidebar order: DMs, then topics by channel. */
function unreadGroups(): readonly { readonly key: string; readonly places: readonly Conversation[] }[] {
  const directs = unreadConversations.value.filter((one) => one.place.view === 'direct' && countsAsUnread(one))
  const channels = channelSections.value.flatMap((section) => section.channels)
  return [
    { key: 'directs', places: directs.map(({ place }) => place) },
    ...channels.map(({ stream_id: channelId }) => ({
      key: `channel-${channelId}`,
      places: unreadTopicsOf(channelId)
        .filter(countsAsUnread)
        .map(({ place }) => place),
    })),
  ]
}

function shownGroup(): string | undefined {
  const route = shownRoute()
  if (route.view === 'direct') return 'directs'
  return 'channelId' in route ? `channel-${route.channelId}` : undefined
}

function adjacentUnread(step: MoveStep): Conversation | undefined {
  const groups = unreadGroups()
  const here = shownConversation()
  const hereKey = here === undefined ? '' : placeKey(here)
  const others = groups.flatMap(({ places }) => places).filter((place) => placeKey(place) !== hereKey)
  if (others.length === 0) return undefined
  const group = groups.findIndex(({ key }) => key === shownGroup())
  const before = groups.slice(0, Math.max(0, group)).reduce((sum, { places }) => sum + places.length, 0)
  const within = groups[group]?.places.findIndex((place) => placeKey(place) === hereKey) ?? -1
  // If the current conversation has no unread messages, starts at the beginning of its channel.
  const at = before + Math.max(0, within)
  return others.at(step === 1 ? at % others.length : at - 1)
}

export function goToUnread(step: MoveStep): void {
  const place = adjacentUnread(step)
  if (place !== undefined) go(place)
}

function nextDirectConversation(): Conversation | undefined {
  const here = shownConversation()
  return unreadConversations.value
    .filter((one) => one.place.view === 'direct' && countsAsUnread(one))
    .find(({ place }) => here === undefined || placeKey(place) !== placeKey(here))?.place
}

export function goToNextDirectConversation(): void {
  const place = nextDirectConversation()
  if (place !== undefined) go(place)
}

/** Topic from which the user last toggled to its channel. */
let topicToReturnTo: Extract<Conversation, { view: 'topic' }> | undefined

/** Toggles between a topic and its channel. Without a topic to return to, opens the newest unread topic. */
export function goToTopicOrChannel(): void {
  const route = shownRoute()
  if (route.view === 'topic') {
    const { channelId, topic } = route
    topicToReturnTo = { view: 'topic', channelId, topic }
    go({ view: 'channel', channelId })
  } else if (route.view === 'channel' || route.view === 'channel-feed') {
    const place =
      topicToReturnTo?.channelId === route.channelId ? topicToReturnTo : unreadTopicsOf(route.channelId)[0]?.place
    if (place !== undefined) go(place)
  }
}
