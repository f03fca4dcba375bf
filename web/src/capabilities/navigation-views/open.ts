import { signal } from '@preact/signals'
import { isNarrow, openRegion } from '../../platform/frame.ts'
import type { View } from './state.ts'

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

/** Where the filter of the sidebar is on the page. */
export const filterBox: { current: HTMLInputElement | null } = { current: null }

/** Goes to the box that filters the sidebar, which on a phone has to be shown first. */
export function openFilter(): void {
  if (isNarrow.peek()) {
    openRegion('channels')
    requestAnimationFrame(() => filterBox.current?.select())
  } else filterBox.current?.select()
}
