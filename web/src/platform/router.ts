import { signal } from '@preact/signals'
import { addressOf, HOME_ROUTE, isPlace, placeKey, routeAt, type Route } from '../kernel/route.ts'
import { afterPaint } from './dom/painted.ts'
import { closeSheet, openRegion, openedRegion, panelSubject } from './frame.ts'
import { isWriting } from './keys/keys.ts'
import { enterUrl, followBack } from './layers.ts'

export type ShownRoute = Route | { readonly view: 'not-found' }

const currentRoute = signal<ShownRoute>(routeOfLocation(window.location))

export function shownRoute(): ShownRoute {
  return currentRoute.value
}

const drawnRouteSignal = signal<ShownRoute>(currentRoute.peek())
panelSubject.value = panelSubjectOf(currentRoute.peek())

export function drawnRoute(): ShownRoute {
  return drawnRouteSignal.value
}

/** Changes whenever the person opens a view, even the view already shown. */
export const navigationCount = signal(0)

const viewCount = signal(0)

/** Changes with the view, but stays the same if only the topic of the view is renamed. */
export function viewNumber(): number {
  return viewCount.value
}

/** Whether the view has details for the panel: settings and search results are about no conversation. */
export function hasPanelDetails(): boolean {
  return !['settings', 'search', 'new-dm'].includes(drawnRoute().view)
}

let channelNameOf: (channelId: number) => string = () => ''

export function setChannelNames(by: (channelId: number) => string): void {
  channelNameOf = by
}

export function hrefOf(route: Route): string {
  return addressOf(route, channelNameOf)
}

/** Views that a phone's bottom bar opens, rather than a list in the sidebar. */
const VIEWS_OF_BOTTOM_BAR: readonly Route['view'][] = ['inbox', 'search', 'settings']

export function go(route: Route, { replace = false } = {}): void {
  const href = hrefOf(route)
  if (replace || href !== window.location.pathname + window.location.search)
    enterUrl(href, replace, !replace && !VIEWS_OF_BOTTOM_BAR.includes(route.view))
  showRoute(route)
  // Replacing the address opens no new view: the user is typing a search, or the topic was moved.
  if (!replace) openRegion('main')
}

/** Does what the browser's Back button does, except that it never leaves the client. */
export function goBack(): void {
  // Older browsers cannot say whether the previous page is the client's.
  const canGoBack = 'navigation' in globalThis ? navigation.canGoBack : window.history.length > 1
  if (canGoBack) window.history.back()
  else go(HOME_ROUTE, { replace: true })
}

/** Changes the route and URL of the current view, which continues without a new view number. */
export function changeRouteOfView(route: Route): void {
  enterUrl(hrefOf(route), true, false)
  currentRoute.value = route
  drawnRouteSignal.value = route
}

/** Replaces the sign-in or root URL with the URL of the home view. */
export function replaceEntryUrl(): void {
  const { pathname, search, hash } = window.location
  if (pathname !== '/' && pathname !== '/login') return
  window.history.replaceState(window.history.state, '', hrefOf(HOME_ROUTE) + search + hash)
}

export function followHistory(): void {
  followBack(() => showRoute(routeOfLocation(window.location)))
}

function showRoute(route: ShownRoute): void {
  currentRoute.value = route
  const draw = (): void => {
    const next = currentRoute.peek()
    if (viewKey(drawnRouteSignal.peek()) !== viewKey(next)) {
      viewCount.value += 1
      closeSheet()
    }
    drawnRouteSignal.value = next
    panelSubject.value = panelSubjectOf(next)
    navigationCount.value += 1
  }
  // Draws immediately if the view was hidden on a phone, because its old content would flash,
  // or if a field of the old view has the focus, because it would receive the next key.
  if (openedRegion.peek() === 'main' && !isWriting(document.activeElement)) afterPaint(draw)
  else draw()
}

function panelSubjectOf({ view }: ShownRoute): 'place' | 'people' {
  return ['topic', 'direct', 'channel', 'channel-feed'].includes(view) ? 'place' : 'people'
}

function viewKey(route: ShownRoute): string {
  if (route.view === 'not-found') return route.view
  return isPlace(route) ? placeKey(route) : hrefOf(route)
}

export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

function routeOfLocation(location: Location): ShownRoute {
  if (location.pathname === '/login') return HOME_ROUTE
  return routeAt(location) ?? { view: 'not-found' }
}
