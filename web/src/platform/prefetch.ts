import { conversationOf, routeAt, type Conversation } from '../kernel/route.ts'
import { messages, sync } from './client.ts'

/** So long a link is pointed at, or has the focus, before what it leads to is read ahead. */
const POINTED_MILLISECONDS = 80
/** So many places are read ahead in a minute: someone who wanders over a list reads none of it. */
const MOST_A_MINUTE = 30
const MINUTE_MILLISECONDS = 60_000

let recent: number[] = []

/** Reads the messages of a conversation that one may open next. It marks nothing, and saves data where the person does. */
export function readAhead(place: Conversation): void {
  const now = performance.now()
  recent = recent.filter((at) => now - at < MINUTE_MILLISECONDS)
  if (savesData() || !sync.isConnected.peek() || recent.length >= MOST_A_MINUTE) return
  if (messages.prefetch(place)) recent.push(now)
}

function savesData(): boolean {
  // Browsers that do not know it save nothing.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}

/** Reads ahead what the link leads to at which one points, or which has the focus. */
export function followLinks(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = ({ target }: Event): void => {
    clearTimeout(timer)
    const link = target instanceof Element ? target.closest('a') : null
    const route = link === null || link.origin !== window.location.origin ? undefined : routeAt(link)
    const place = route === undefined ? undefined : conversationOf(route)
    if (place !== undefined) timer = setTimeout(() => readAhead(place), POINTED_MILLISECONDS)
  }
  document.addEventListener('pointerover', look, { passive: true })
  document.addEventListener('focusin', look)
}
