import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)

let focusedBefore: Element | null = null
let openedText = ''

/** @param text what the person has already typed elsewhere */
export function openPalette(text = ''): void {
  openedText = text
  focusedBefore = document.activeElement
  isPaletteOpen.value = true
}

export function textOnOpening(): string {
  return openedText
}

export function closePalette(): void {
  isPaletteOpen.value = false
}

export function restoreFocus(): void {
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
}
