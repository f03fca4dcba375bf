import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)

let focused: Element | null = null

export function openPalette(): void {
  focused = document.activeElement
  isPaletteOpen.value = true
}

export function closePalette(): void {
  isPaletteOpen.value = false
}

export function restoreFocus(): void {
  if (focused instanceof HTMLElement) focused.focus()
}
