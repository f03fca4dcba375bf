import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)

let focusedBefore: Element | null = null

export function openPalette(): void {
  focusedBefore = document.activeElement
  isPaletteOpen.value = true
}

export function closePalette(): void {
  isPaletteOpen.value = false
}

export function restoreFocus(): void {
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
}
