import { signal } from '@preact/signals'

/** On narrow screens the sidebar lies over the view while it is open. */
export const isSidebarOpen = signal(false)

export function openSidebar(): void {
  isSidebarOpen.value = true
}

export function closeSidebar(): void {
  isSidebarOpen.value = false
}
