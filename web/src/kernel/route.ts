/* Maps views to URLs. People read and save URLs, so IDs come first, and the names after them are only decoration. */

import { caseKey } from '@parley/server/kernel/case-key'
import { topicSegment } from '@parley/server/kernel/topic-segment'

export type Place =
  | { readonly view: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly view: 'direct'; readonly userIds: readonly number[] }
  | { readonly view: 'channel-feed'; readonly channelId: number }
  | { readonly view: 'feed' }
  | { readonly view: 'mentions' }
  | { readonly view: 'starred' }
  | { readonly view: 'reactions' }
  | { readonly view: 'search'; readonly query: string }

export type ViewName =
  | 'inbox'
  | 'recent'
  | 'feed'
  | 'mentions'
  | 'starred'
  | 'reactions'
  | 'writing'
  | 'scheduled'
  | 'reminders'
  | 'reports'
  | 'files'

export type Conversation = Extract<Place, { view: 'topic' | 'direct' }>

export const RECENT_FILTERS = ['unread', 'participated', 'unresolved', 'followed'] as const
export type RecentFilter = (typeof RECENT_FILTERS)[number]

export type Route =
  | (Place & { readonly near?: number })
  | { readonly view: 'inbox' }
  | { readonly view: 'triage' }
  | { readonly view: 'new-dm' }
  | { readonly view: 'recent'; readonly filters?: readonly RecentFilter[] }
  | { readonly view: 'channel'; readonly channelId: number }
  | { readonly view: 'channels' }
  | { readonly view: 'writing' }
  | { readonly view: 'scheduled' }
  | { readonly view: 'reminders' }
  | { readonly view: 'reports' }
  /** `query` is the filter as URL parameters, which only the view parses. */
  | { readonly view: 'files'; readonly query?: string }
  | { readonly view: 'settings'; readonly section?: string; readonly setting?: string }

/** Views without parameters. The name of each view is also its path. */
const PLAIN_VIEWS = [
  'inbox',
  'triage',
  'new-dm',
  'feed',
  'mentions',
  'starred',
  'reactions',
  'channels',
  'writing',
  'scheduled',
  'reminders',
  'reports',
] as const

export const HOME_ROUTE: Route = { view: 'inbox' }

/** For example `/c/12-design/t/Logo?near=99`. @returns undefined for unknown URLs */
export function routeAt({ pathname, search }: { pathname: string; search: string }): Route | undefined {
  const parameters = new URLSearchParams(search)
  const [first = '', second = '', third = '', ...rest] = pathname.slice(1).split('/').map(decodeSegment)
  if (first === '') return HOME_ROUTE
  const plain = PLAIN_VIEWS.find((view) => view === first)
  if (plain !== undefined) return second === '' ? { view: plain, ...parseNear(parameters) } : undefined
  if (first === 'settings' && third === '') return { view: 'settings', ...parseSetting(second, parameters) }
  if (first === 'recent') return second === '' ? { view: 'recent', ...parseFilters(parameters) } : undefined
  if (first === 'files') return second === '' ? { view: 'files', query: search.slice(1) } : undefined
  if (first === 'search') return { view: 'search', query: parameters.get('q') ?? '', ...parseNear(parameters) }
  if (first === 'dm') {
    const userIds = second.split(',').map(leadingId)
    return userIds.includes(0) ? undefined : { view: 'direct', userIds, ...parseNear(parameters) }
  }
  if (first !== 'c') return undefined
  const channelId = leadingId(second)
  if (channelId === 0) return undefined
  if (third === '' && !parameters.has('near')) return { view: 'channel', channelId }
  if (third === '' || third === 'feed') return { view: 'channel-feed', channelId, ...parseNear(parameters) }
  return third === 't'
    ? { view: 'topic', channelId, topic: rest.join('/').trim(), ...parseNear(parameters) }
    : undefined
}

/** `nameOf` provides readable channel names. */
export function addressOf(route: Route, nameOf: (channelId: number) => string = () => ''): string {
  const near = 'near' in route && route.near !== undefined ? `?near=${route.near}` : ''
  switch (route.view) {
    case 'topic':
      return `${channelPath(route.channelId, nameOf)}/t/${topicSegment(route.topic)}${near}`
    case 'channel-feed':
      return `${channelPath(route.channelId, nameOf)}/feed${near}`
    case 'channel':
      return channelPath(route.channelId, nameOf)
    case 'direct':
      return `/dm/${route.userIds.join(',')}${near}`
    case 'search':
      return `/search?${new URLSearchParams({ q: route.query, ...(route.near === undefined ? {} : { near: String(route.near) }) }).toString()}`
    case 'settings': {
      const setting = route.setting === undefined ? '' : `?setting=${encodeURIComponent(route.setting)}`
      return route.section === undefined ? '/settings' : `/settings/${encodeURIComponent(route.section)}${setting}`
    }
    case 'files':
      return (route.query ?? '') === '' ? '/files' : `/files?${route.query ?? ''}`
    case 'recent':
      return (route.filters ?? []).length === 0 ? '/recent' : `/recent?show=${route.filters?.join() ?? ''}`
    default:
      return `/${route.view}${near}`
  }
}

/** Returns the same key for all routes that show the same messages. */
export function placeKey(place: Place): string {
  switch (place.view) {
    case 'topic':
      return `topic:${place.channelId}:${caseKey(place.topic)}`
    case 'direct':
      return `direct:${place.userIds.toSorted((a, b) => a - b).join()}`
    case 'channel-feed':
      return `channel:${place.channelId}`
    case 'search':
      return `search:${place.query}`
    default:
      return place.view
  }
}

/** Undefined if the route is not a single conversation. */
export function conversationOf(route: Route): Conversation | undefined {
  if (route.view === 'topic') return { view: 'topic', channelId: route.channelId, topic: route.topic }
  return route.view === 'direct' ? { view: 'direct', userIds: route.userIds } : undefined
}

export function isPlace(route: Route): route is Place & { readonly near?: number } {
  return ['topic', 'direct', 'channel-feed', 'feed', 'mentions', 'starred', 'reactions', 'search'].includes(route.view)
}

function channelPath(channelId: number, nameOf: (channelId: number) => string): string {
  const name = nameOf(channelId)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return `/c/${channelId}${name === '' ? '' : `-${encodeURIComponent(name)}`}`
}

function parseNear(parameters: URLSearchParams): { near?: number } {
  const near = leadingId(parameters.get('near') ?? '')
  return near === 0 ? {} : { near }
}

function parseSetting(section: string, parameters: URLSearchParams): { section?: string; setting?: string } {
  const setting = parameters.get('setting')
  if (section === '') return {}
  return setting === null ? { section } : { section, setting }
}

function parseFilters(parameters: URLSearchParams): { filters?: readonly RecentFilter[] } {
  const named = (parameters.get('show') ?? '').split(',')
  const filters = RECENT_FILTERS.filter((filter) => named.includes(filter))
  return filters.length === 0 ? {} : { filters }
}

/** Returns the ID at the start of a segment such as `12-design`, or 0 without an ID. */
function leadingId(text: string): number {
  return Number(/^\d{1,15}(?=$|-)/.exec(text)?.[0] ?? 0)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
