import { effect } from '@preact/signals'
import { isPlace } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { channelTitle, placeName } from '../capabilities/places/title.tsx'
import { unreadTotal } from '../capabilities/unread/state.ts'
import { store } from '../platform/client.ts'
import { shownRoute, type ShownRoute } from '../platform/router.ts'

/** Shows the view and the unread count, even in hidden tabs. */
export function keepDocumentTitleCurrent(): void {
  effect(() => {
    const { value: waiting } = unreadTotal
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${titleOf(shownRoute())} · ${store().read('realm_name')}`
  })
}

function titleOf(route: ShownRoute): string {
  if (route.view === 'not-found') return t().app.notFound
  if (route.view === 'channel') return channelTitle(route.channelId)
  return isPlace(route) ? placeName(route) : t().nav[route.view]
}
