import { computed, signal } from '@preact/signals'
import { preferredFlag } from './preferences.ts'

/* Wide screens show all regions. On medium screens, the panel covers the view. Phones show one region at a time. */

export type Region = 'main' | 'channels' | 'directs' | 'panel'

const narrowScreen = window.matchMedia('(width < 768px)')
const wideScreen = window.matchMedia('(width >= 1200px)')

const screenSize = signal(currentSize())

function currentSize(): 'narrow' | 'middle' | 'wide' {
  if (narrowScreen.matches) return 'narrow'
  return wideScreen.matches ? 'wide' : 'middle'
}

for (const query of [narrowScreen, wideScreen]) {
  query.addEventListener('change', () => {
    screenSize.value = currentSize()
  })
}

export const isNarrow = computed(() => screenSize.value === 'narrow')
export const isWide = computed(() => screenSize.value === 'wide')

export const openedRegion = signal<Region>('main')

export function openRegion(next: Region): void {
  openedRegion.value = next
}

/* The sidebar's layout belongs to a screen, so it is stored per browser, with the appearance. Phones ignore it. */
export const sidebarPercent = signal(100)
export const isSidebarFolded = signal(false)

export function toggleSidebar(): void {
  isSidebarFolded.value = !isSidebarFolded.value
}

/** Whether the panel is open on wide screens, remembered across sessions, by its subject in the current view. */
const panelPreferences = { place: preferredFlag('panel', false), people: preferredFlag('panel.people', false) }
export const panelSubject = signal<keyof typeof panelPreferences>('people')
const isSheetOpen = signal(false)

export function isPanelOpen(): boolean {
  return isWide.value ? panelPreferences[panelSubject.value].read() : isSheetOpen.value
}

export function isPanelShown(): boolean {
  return isNarrow.value ? openedRegion.value === 'panel' : isPanelOpen()
}

/** Element that opened the panel. Phones hide this element before the panel is visible, so it loses the focus. */
let opener: Element | null = null

/** Returns the focus to the panel's opener if closing the panel removed the focused element. */
export function restoreFocusFromPanel(): void {
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return
    // The view and its button may have been rendered again.
    const back = opener?.isConnected === true ? opener : document.querySelector('[data-opens=panel]')
    if (back instanceof HTMLElement) back.focus()
  })
}

export function togglePanel(): void {
  if (!isPanelShown()) opener = document.activeElement
  if (isNarrow.peek()) openRegion(openedRegion.peek() === 'panel' ? 'main' : 'panel')
  else showPanel(!isPanelOpen())
}

export function closePanel(): void {
  if (isNarrow.peek()) openRegion('main')
  else showPanel(false)
}

function showPanel(isShown: boolean): void {
  if (isWide.peek()) void panelPreferences[panelSubject.peek()].write(isShown)
  else isSheetOpen.value = isShown
}

/** Uncovers the view on medium screens. */
export function closeSheet(): void {
  isSheetOpen.value = false
}

/** A smaller difference in height comes from a browser bar, not a keyboard. */
const MIN_KEYBOARD_PIXELS = 80

/** Not all browsers shrink the page above a phone's keyboard, but all shrink the visual viewport. */
export function shrinkPageAboveKeyboard(): void {
  const { visualViewport: viewport } = window
  if (viewport === null) return
  const { style } = document.documentElement
  viewport.addEventListener('resize', () => {
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > MIN_KEYBOARD_PIXELS
    if (!isCovered) style.removeProperty('--seen-height')
    else {
      style.setProperty('--seen-height', `${viewport.height}px`)
      window.scrollTo(0, 0)
    }
  })
}
