import { signal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import { isNarrow, openRegion } from '../../platform/frame.ts'
import { fragmentOf } from '../places/fragments.ts'
import { placeName } from '../places/title.tsx'
import { removeView } from './actions.ts'
import { ownViewOf, type View } from './state.ts'

/** Whether the views are being chosen. */
export const areViewsOpen = signal(false)

export function openViews(): void {
  areViewsOpen.value = true
}

export function closeViews(): void {
  areViewsOpen.value = false
}

/** What is being named: a view that there is, or what is to become one. */
export const naming = signal<{ readonly fragment: string; readonly name: string; readonly view?: View } | undefined>(
  undefined,
)

/** Puts what a place shows among the views, under a name that is asked for; or takes it away from there. */
export function toggleView(place: Place): void {
  const view = ownViewOf(place)
  const fragment = fragmentOf(place)
  if (view !== undefined) void removeView(view)
  else if (fragment !== undefined) {
    naming.value = { fragment, name: place.view === 'search' ? place.query : placeName(place) }
  }
}

/** Where the filter of the sidebar is on the page. */
export const filterBox: { current: HTMLInputElement | null } = { current: null }

/** Goes to the box that filters the sidebar, which on a phone has to be shown first. */
export function openFilter(): void {
  if (isNarrow.peek()) {
    openRegion('channels')
    requestAnimationFrame(() => filterBox.current?.select())
  } else filterBox.current?.select()
}
