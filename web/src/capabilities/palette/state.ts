import { signal } from '@preact/signals'

/** Which dialog over everything is open. */
export const openOverlay = signal<'palette' | 'keys' | undefined>(undefined)

export function openPalette(): void {
  openOverlay.value = 'palette'
}

export function closeOverlay(): void {
  openOverlay.value = undefined
}
