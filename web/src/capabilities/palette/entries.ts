import { call } from '@parley/client'
import { recent } from '@parley/server/contract'
import { computed, effect, signal } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import { tl } from '../../kernel/later-texts.ts'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { writeQuery } from '../../kernel/query.ts'
import { conversationOf, isPlace, placeKey, type Conversation, type Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { storeText, loadText } from '../../platform/cache.ts'
import { messages, store } from '../../platform/client.ts'
import { availableCommands, keyHint, keyHintOf } from '../../platform/keys/keys.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { findableSettings, allSections } from '../../platform/settings/sections.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { allChannels, channelIcon, channelName, subscriptionTo } from '../channels/state.ts'
import { focusSearch } from '../history/actions.ts'
import { createWindowSearch } from '../history/matching.ts'
import { completeCondition } from '../history/near-misses.ts'
import { parseSearchQuery, readQuery } from '../history/search-query.ts'
import { isHiddenMessage, previewTextOf } from '../muted-users/state.ts'
import { chosenViews } from '../navigation-views/state.ts'
import { directName, placeName, topicTitle } from '../places/title.tsx'
import { availableActions } from '../places/tools.tsx'
import { conversationOfRecent } from '../recent/conversations.ts'
import { isMutedTopic, unreadConversations, type UnreadConversation } from '../unread/state.ts'
import { ownMenuItems } from '../users/own-menu-items.ts'
import { activePeople, ownId, userById } from '../users/state.ts'
import { KIND_WEIGHTS, type EntryKind } from './ranking.ts'

export interface Entry {
  /** Stable across sessions, because usage statistics are stored under this key. */
  readonly key: string
  readonly kind: EntryKind
  readonly name: string
  readonly otherNames?: readonly string[] | undefined
  readonly icon: IconName
  readonly detail?: string | undefined
  /** Description and synonyms, for search only. */
  readonly about?: string | undefined
  readonly userIds?: readonly number[]
  readonly shortcut?: string | undefined
  readonly unread?: UnreadConversation | undefined
  readonly to?: Route
  readonly run: () => void
}

export async function yieldToInput(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}

const UNREAD_WEIGHT = 1.5

export function weightOf({ key, kind, unread }: Entry): number {
  return KIND_WEIGHTS[kind] * frecencyOf(key) * (unread === undefined ? 1 : UNREAD_WEIGHT)
}

export const PREFIX_FILTERS: Readonly<Record<string, (entry: Entry) => boolean>> = {
  '>': ({ kind }) => kind === 'command' || kind === 'setting',
  // A person with an existing conversation is listed as that conversation.
  '@': ({ kind, userIds }) => kind === 'person' || (kind === 'conversation' && userIds !== undefined),
  '#': ({ kind }) => kind === 'channel' || kind === 'conversation',
}

function navigationEntry(route: Route, rest: Omit<Entry, 'key' | 'to' | 'run'>): Entry {
  return { ...rest, key: keyOfRoute(route), to: route, run: () => go(route) }
}

export function allEntries(): readonly Entry[] {
  const byKey = new Map<string, Entry>()
  for (const entry of [
    ...viewEntries(),
    ...conversationEntries(),
    ...channelEntries(),
    ...personEntries.value,
    ...actionEntries(),
    ...placeActionEntries(),
    ...settingEntries(),
  ])
    if (!byKey.has(entry.key)) byKey.set(entry.key, entry)
  return [...byKey.values()]
}

const MAX_RECENT = 100
const RECENT_MAX_AGE_MILLISECONDS = 60_000

export const recentConversations = signal<readonly Conversation[]>([])
let recentRequestedAt = -Infinity

/** Read conversations that are not loaded are otherwise unknown. */
export async function requestRecentConversations(): Promise<void> {
  const now = performance.now()
  if (now - recentRequestedAt < RECENT_MAX_AGE_MILLISECONDS) return
  recentRequestedAt = now
  try {
    const input = { limit: MAX_RECENT, allow_empty_topic_name: true }
    const { conversations } = await call(SESSION, recent.getRecentConversations, input)
    recentConversations.value = conversations.map(conversationOfRecent)
  } catch {
    // Offline, the palette lists only what this browser knows.
    recentRequestedAt = -Infinity
  }
}

function conversationEntries(): Entry[] {
  const unread = unreadConversations.value
    .filter(({ isMuted, mentions }) => !isMuted || mentions > 0)
    .map((one) => conversationEntry(one.place, one))
  const own = ownId()
  const read = new Map<string, Conversation>()
  for (const message of messages.all()) {
    const place = conversationOfMessage(message, own)
    read.set(placeKey(place), place)
  }
  const chosen = store()
    .read('user_topics')
    .filter(({ stream_id: channelId, topic_name: topic }) => !isMutedTopic(channelId, topic))
    .map(({ stream_id: channelId, topic_name: topic }) => conversationEntry({ view: 'topic', channelId, topic }))
  const directs = store()
    .read('recent_private_conversations')
    .map(({ user_ids: userIds }) =>
      conversationEntry({ view: 'direct', userIds: userIds.length === 0 ? [own] : userIds }),
    )
  const others = [...read.values(), ...recentConversations.value].map((place) => conversationEntry(place))
  return [...unread, ...others, ...chosen, ...directs]
}

function conversationEntry(place: Conversation, unread?: UnreadConversation): Entry {
  if (place.view === 'direct') {
    const { userIds } = place
    const [first = 0] = userIds
    return navigationEntry(place, {
      ...(userIds.length === 1 ? { kind: 'conversation', about: userById(first)?.email } : { kind: 'group' }),
      name: directName(userIds),
      icon: 'person',
      userIds,
      unread,
    })
  }
  const detail = channelName(place.channelId)
  return navigationEntry(place, { kind: 'conversation', name: topicTitle(place.topic), icon: 'feed', detail, unread })
}

function viewEntries(): Entry[] {
  return chosenViews.value
    .filter(({ isOwn }) => isOwn === true)
    .map(({ fragment, title, icon, to }) => ({
      key: `view:${fragment}`,
      kind: 'conversation',
      name: title(),
      icon,
      detail: t().nav.views,
      run: () => go(to),
    }))
}

function channelEntries(): Entry[] {
  return allChannels()
    .filter(({ is_archived: isArchived }) => !isArchived)
    .map(({ stream_id: channelId, name }) =>
      navigationEntry(
        { view: 'channel', channelId },
        {
          kind: 'channel',
          name,
          icon: channelIcon(channelId),
          detail: subscriptionTo(channelId) === undefined ? tl().palette.notJoined : undefined,
        },
      ),
    )
}

/** Recomputed when people change, rather than on every opening. */
const personEntries = computed(() =>
  activePeople.value.map(({ user_id: userId, full_name: name, email }) =>
    navigationEntry(
      { view: 'direct', userIds: [userId] },
      { kind: 'person', name, icon: 'person', detail: email, userIds: [userId] },
    ),
  ),
)

/** Returns commands and the items of the person's own menu. Commands of several views can share a title. */
function actionEntries(): Entry[] {
  const commands = availableCommands().map((command) => ({
    ...command,
    name: command.title(),
    shortcut: keyHintOf(command),
  }))
  const items = ownMenuItems(headerTools()).map((item) => ({ ...item, name: item.title, shortcut: item.keyLabel }))
  const synonyms: Readonly<Record<string, readonly string[]>> = tl().palette.synonyms
  const byName = new Map<string, Entry>()
  for (const { id, name, icon = 'more', shortcut, run } of [...commands, ...items])
    if (!byName.has(name))
      byName.set(name, { key: id, kind: 'command', name, otherNames: synonyms[id], icon, shortcut, run })
  return [...byName.values()]
}

/** Popups open beside the buttons of the header. */
function headerTools(): HTMLElement {
  return document.querySelector<HTMLElement>('.header-tools') ?? document.body
}

/** Returns the actions of the open conversation's menu, and of its channel's. */
function placeActionEntries(): Entry[] {
  const route = shownRoute()
  if (route.view === 'not-found') return []
  const channel = 'channelId' in route ? [{ view: 'channel-feed', channelId: route.channelId } as const] : []
  const place = conversationOf(route) ?? (isPlace(route) && route.view !== 'channel-feed' ? route : undefined)
  const places = place === undefined ? channel : [place, ...channel]
  return places.flatMap((of) =>
    availableActions(of).map(({ id, title, icon, run }) => ({
      key: `${of.view}:${id}`,
      kind: 'command' as const,
      name: title(of),
      icon,
      detail: placeName(of),
      run: () => run(of, headerTools()),
    })),
  )
}

function settingEntries(): Entry[] {
  return findableSettings(allSections() ?? []).map(({ key, name, about, section, setting }) => ({
    key,
    kind: 'setting',
    name,
    about,
    icon: section.icon,
    detail: setting === undefined ? tl().settings.title : section.title(),
    run: () => go({ view: 'settings', section: section.id, ...(setting === undefined ? {} : { setting }) }),
  }))
}

/** Returns loaded messages, newest first. */
export function messageEntries(query: string, most: number): readonly Entry[] {
  const search = parseSearchQuery(query, store())
  // Without its unknown conditions, the search would find messages that do not meet them.
  if (search.unknown.length > 0) return []
  const { matches } = createWindowSearch(search)
  const found = messages
    .all()
    .filter((message) => matches(message) && !isHiddenMessage(message))
    .toSorted((one, other) => other.id - one.id)
  return found.slice(0, most).map(messageEntry)
}

const MAX_SNIPPET_CHARACTERS = 80

function messageEntry(message: Message): Entry {
  const place = conversationOfMessage(message, ownId())
  return {
    key: `m:${message.id}`,
    kind: 'message',
    name: previewTextOf(message).slice(0, MAX_SNIPPET_CHARACTERS) || t().messages.noText,
    icon: 'search',
    userIds: [message.sender_id],
    detail: placeName(place),
    run: () => go({ ...place, near: message.id }),
  }
}

export function searchEntry(query: string): Entry {
  return {
    key: 'search',
    kind: 'message',
    name: tl().search.messages(query),
    icon: 'search',
    shortcut: keyHint('/'),
    run: () => {
      const { conditions, words } = readQuery(query)
      focusSearch()
      go({ view: 'search', query: writeQuery({ conditions: conditions.map(completeCondition), words }) })
    },
  }
}

/** Whether the text contains a search filter, possibly one whose value is not typed yet. */
export function hasFilter(query: string): boolean {
  return readQuery(query).conditions.length > 0 || readQuery(`${query}x`).conditions.length > 0
}

/* Usage statistics that rank frequent and recent entries higher. Stored only in this browser. */

interface Usage {
  readonly score: number
  readonly at: number
}

const HALF_LIFE_MILLISECONDS = 7 * 86_400_000
const MAX_STORED_USES = 500
const STORAGE_KEY = 'frecency'

let usesByKey = new Map<string, Usage>()

function keyOfRoute(route: Route): string {
  if (isPlace(route) && route.view !== 'channel-feed') return placeKey(route)
  return 'channelId' in route ? `channel:${route.channelId}` : route.view
}

export function recordVisits(): void {
  void loadText(STORAGE_KEY).then((text) => {
    // Safe: stored by this module.
    if (text !== undefined) usesByKey = new Map([...(JSON.parse(text) as [string, Usage][]), ...usesByKey])
  })
  effect(() => {
    const route = shownRoute()
    if (route.view !== 'not-found' && route.view !== 'search') recordEntryUse(keyOfRoute(route))
  })
}

export function recordEntryUse(key: string): void {
  const now = Date.now()
  usesByKey.set(key, { score: usageScoreAt(key, now) + 1, at: now })
  const kept = [...usesByKey].toSorted(([, one], [, other]) => other.at - one.at).slice(0, MAX_STORED_USES)
  void storeText(STORAGE_KEY, JSON.stringify(kept))
}

function usageScoreAt(key: string, now: number): number {
  const known = usesByKey.get(key)
  return known === undefined ? 0 : known.score * 0.5 ** ((now - known.at) / HALF_LIFE_MILLISECONDS)
}

/** Returns 1 for unused entries. Grows logarithmically, so that daily use does not outweigh better matches. */
function frecencyOf(key: string): number {
  if (!usesByKey.has(key)) return 1
  return 1 + Math.log2(1 + usageScoreAt(key, Date.now()))
}
