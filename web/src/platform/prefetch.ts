import { conversationOf, routeAt, type Conversation } from '../kernel/route.ts'
import { messages, sync } from './client.ts'

/** Hovering or focusing a link for this long prefetches its target. */
const POINTED_MILLISECONDS = 80
/** Hovering over a list must not load all of it. */
const MAX_PER_MINUTE = 30
const MINUTE_MILLISECONDS = 60_000

let recent: number[] = []

/** Marks no messages as read, and respects the browser's data saver. */
export function prefetchMessages(place: Conversation): void {
  const now = performance.now()
  recent = recent.filter((at) => now - at < MINUTE_MILLISECONDS)
  if (savesData() || !sync.isConnected.peek() || recent.length >= MAX_PER_MINUTE) return
  if (messages.prefetch(place)) recent.push(now)
}

function savesData(): boolean {
  // Only some browsers support `navigator.connection`.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}

export function followLinks(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onPointed = ({ target }: Event): void => {
    clearTimeout(timer)
    const link = target instanceof Element ? target.closest('a') : null
    const route = link === null || link.origin !== window.location.origin ? undefined : routeAt(link)
    const place = route === undefined ? undefined : conversationOf(route)
    if (place !== undefined) timer = setTimeout(() => prefetchMessages(place), POINTED_MILLISECONDS)
  }
  document.addEventListener('pointerover', onPointed, { passive: true })
  document.addEventListener('focusin', onPointed)
}
