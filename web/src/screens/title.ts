import { effect } from '@preact/signals'
import { isPlace } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { channelTitle, placeName } from '../capabilities/places/title.tsx'
import { unreadForMe } from '../capabilities/unread/state.ts'
import { store } from '../platform/client.ts'
import { shown, type Shown } from '../platform/router.ts'

/** Keeps the page title current: the view and the unread count, also in hidden tabs. */
export function showTitle(): void {
  effect(() => {
    const { value: waiting } = unreadForMe
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${titleOf(shown())} · ${store().read('realm_name')}`
  })
}

function titleOf(route: Shown): string {
  if (route.view === 'not-found') return t().app.notFound
  if (route.view === 'channel') return channelTitle(route.channelId)
  return isPlace(route) ? placeName(route) : t().nav[route.view]
}
