import { signal } from '@preact/signals'
import { isNarrow, openRegion } from '../../platform/frame.ts'

/** Whether the views are being chosen. */
export const areViewsOpen = signal(false)

export function openViews(): void {
  areViewsOpen.value = true
}

export function closeViews(): void {
  areViewsOpen.value = false
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
