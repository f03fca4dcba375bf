import { isPlace, type Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { go } from '../../platform/router.ts'
import { channelById } from '../channels/state.ts'
import { routeOfLink } from '../messages/parts/shown.tsx'
import { channelTitle, placeName } from '../places/title.tsx'
import { completeUrl, parseUrl } from './urls.ts'

export interface LinkTarget {
  readonly href: string
  /** Undefined if the link leads out of the client. */
  readonly route: Route | undefined
  /** Whether the link opens another tab, unlike links to email addresses. */
  readonly opensTab: boolean
}

/** Undefined for URLs that must not be opened, such as those that run scripts. */
export function parseLinkTarget(text: string): LinkTarget | undefined {
  const url = parseUrl(text)
  if (url === undefined) return undefined
  const route = routeOfLink(url)
  return { href: url.href, route, opensTab: route === undefined && url.protocol !== 'mailto:' }
}

export function openTarget({ href, route, opensTab }: LinkTarget): void {
  if (route !== undefined) go(route)
  else window.open(href, opensTab ? '_blank' : '_self', 'noopener,noreferrer')
}

/** Returns the conversation's name for a link within the organization, otherwise the host. */
export function proposedTitle(text: string): string {
  const complete = completeUrl(text)
  const url = complete === undefined ? undefined : parseUrl(complete)
  if (url === undefined) return ''
  const route = routeOfLink(url)
  if (route !== undefined) return routeTitle(route)
  return url.protocol === 'mailto:' ? decodeURI(url.pathname) : url.hostname.replace(/^www\./, '')
}

function routeTitle(route: Route): string {
  if ('channelId' in route && channelById(route.channelId) === undefined) return ''
  if (isPlace(route)) return placeName(route)
  return route.view === 'channel' ? channelTitle(route.channelId) : t().nav[route.view]
}
