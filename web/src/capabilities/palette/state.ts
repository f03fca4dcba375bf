import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)

export function openPalette(): void {
  isPaletteOpen.value = true
}

export function closePalette(): void {
  isPaletteOpen.value = false
}
