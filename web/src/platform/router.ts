import { signal } from '@preact/signals'
import { addressOf, HOME, routeAt, type Route } from '../kernel/route.ts'
import { afterPaint } from './dom/painted.ts'
import { region } from './frame.ts'
import { enterAddress, followBack } from './layers.ts'

export type ShownRoute = Route | { readonly view: 'not-found' }

const current = signal<ShownRoute>(shownAt(window.location))

export function shownRoute(): ShownRoute {
  return current.value
}

const onPage = signal<ShownRoute>(current.peek())

export function drawnRoute(): ShownRoute {
  return onPage.value
}

let nameOf: (channelId: number) => string = () => ''

export function nameChannels(by: (channelId: number) => string): void {
  nameOf = by
}

export function hrefOf(route: Route): string {
  return addressOf(route, nameOf)
}

export function go(route: Route, { replace = false } = {}): void {
  const href = hrefOf(route)
  if (replace || href !== window.location.pathname + window.location.search) enterAddress(href, replace)
  show(route)
}

/** Replaces the sign-in or root URL. */
export function replaceEntryAddress(): void {
  const { pathname, search, hash } = window.location
  if (pathname !== '/' && pathname !== '/login') return
  window.history.replaceState(window.history.state, '', hrefOf(HOME) + search + hash)
}

export function followHistory(): void {
  followBack(() => show(shownAt(window.location)))
}

function show(route: ShownRoute): void {
  current.value = route
  const draw = (): void => {
    onPage.value = current.peek()
  }
  // On a phone, the view appears from behind another region, where its old content would flash.
  if (region.peek() === 'main') afterPaint(draw)
  else draw()
}

export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

function shownAt(location: Location): ShownRoute {
  if (location.pathname === '/login') return HOME
  return routeAt(location) ?? { view: 'not-found' }
}
