import { conversationOf, routeAt, type Conversation } from '../kernel/route.ts'
import { messages, sync } from './client.ts'

/** Prefetches a link's target after it was hovered or focused for this long. */
const HOVER_DELAY_MILLISECONDS = 80
/** Hovering over a list must not load all its conversations. */
const MAX_PREFETCHES_PER_MINUTE = 30
const MINUTE_MILLISECONDS = 60_000

let recentPrefetches: number[] = []

/** Does not mark messages as read, and respects the browser's data saver. */
export function prefetchMessages(place: Conversation): void {
  const now = performance.now()
  recentPrefetches = recentPrefetches.filter((at) => now - at < MINUTE_MILLISECONDS)
  if (isDataSaverOn() || !sync.isConnected.peek() || recentPrefetches.length >= MAX_PREFETCHES_PER_MINUTE) return
  if (messages.prefetch(place)) recentPrefetches.push(now)
}

function isDataSaverOn(): boolean {
  // Only some browsers support `navigator.connection`.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}

export function prefetchLinkTargets(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onPointed = ({ target }: Event): void => {
    clearTimeout(timer)
    const link = target instanceof Element ? target.closest('a') : null
    const route = link === null || link.origin !== window.location.origin ? undefined : routeAt(link)
    const place = route === undefined ? undefined : conversationOf(route)
    if (place !== undefined) timer = setTimeout(() => prefetchMessages(place), HOVER_DELAY_MILLISECONDS)
  }
  document.addEventListener('pointerover', onPointed, { passive: true })
  document.addEventListener('focusin', onPointed)
}
