import { signal } from '@preact/signals'
import { addressOf, HOME, routeAt, type Route } from '../kernel/route.ts'
import { afterPaint } from './dom/painted.ts'
import { region } from './frame.ts'
import { enterAddress, followBack } from './layers.ts'

export type Shown = Route | { readonly view: 'not-found' }

const current = signal<Shown>(shownAt(window.location))

/** What the address says is shown. */
export function shown(): Shown {
  return current.value
}

const onPage = signal<Shown>(current.peek())

/**
 * The view that is on the page. It follows the address when the press that led there has been painted: a press is answered at
 * once, however long the view takes to draw.
 */
export function drawn(): Shown {
  return onPage.value
}

let nameOf: (channelId: number) => string = () => ''

/** Says how channels are called, for addresses that people can read. */
export function nameChannels(by: (channelId: number) => string): void {
  nameOf = by
}

export function hrefOf(route: Route): string {
  return addressOf(route, nameOf)
}

/** Goes to a view, as a step of the browser's history unless it replaces the present one. */
export function go(route: Route, { replace = false } = {}): void {
  const href = hrefOf(route)
  if (replace || href !== window.location.pathname + window.location.search) enterAddress(href, replace)
  show(route)
}

/** Has the address be that of the view where it is still the one at which one signs in, or that of the server alone. */
export function settleAddress(): void {
  const { pathname, search, hash } = window.location
  if (pathname !== '/' && pathname !== '/login') return
  window.history.replaceState(window.history.state, '', hrefOf(HOME) + search + hash)
}

/** Follows the browser's back and forward. */
export function followHistory(): void {
  followBack(() => show(shownAt(window.location)))
}

function show(route: Shown): void {
  current.value = route
  const draw = (): void => {
    onPage.value = current.peek()
  }
  // On a phone the view comes up from behind another region, where what it showed before would only flash.
  if (region.peek() === 'main') afterPaint(draw)
  else draw()
}

/** Whether a click is for us, and not for another tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

function shownAt(location: Location): Shown {
  if (location.pathname === '/login') return HOME
  return routeAt(location) ?? { view: 'not-found' }
}
