import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { fragmentOf } from '../places/fragment-of.ts'
import { placeName } from '../places/title.tsx'
import { removeView } from './actions.ts'
import { naming } from './open.ts'
import { customViewOf } from './state.ts'

export function toggleView(place: Place): void {
  const view = customViewOf(place)
  const fragment = fragmentOf(place)
  if (view !== undefined) void removeView(view)
  else if (fragment === undefined) toast(t().nav.noView)
  else {
    naming.value = { fragment, name: place.view === 'search' ? place.query : placeName(place) }
  }
}
