import { signal } from '@preact/signals'
import { isNarrow, isSidebarFolded, openRegion } from '../../platform/frame.ts'
import type { View } from './state.ts'

export const isViewsDialogOpen = signal(false)

export function openViewsDialog(): void {
  isViewsDialogOpen.value = true
}

export function closeViewsDialog(): void {
  isViewsDialogOpen.value = false
}

export const viewToName = signal<
  { readonly fragment: string; readonly name: string; readonly view?: View } | undefined
>(undefined)

export const filterBox: { current: HTMLInputElement | null } = { current: null }

export function openFilter(): void {
  if (isNarrow.peek()) {
    openRegion('channels')
    requestAnimationFrame(() => filterBox.current?.select())
  } else {
    isSidebarFolded.value = false
    filterBox.current?.select()
  }
}
