import { computed, signal } from '@preact/signals'
import { preferredFlag } from './preferences.ts'

/*
 * The parts of the frame: the sidebar, the view and the panel. Where there is room, they stand side by side; where there is
 * less, the panel lies over the view; on a phone one region is shown at a time.
 */

export type Region = 'main' | 'channels' | 'directs' | 'panel'

const narrow = window.matchMedia('(width < 768px)')
const wide = window.matchMedia('(width >= 1200px)')

const size = signal(sizeNow())

function sizeNow(): 'narrow' | 'middle' | 'wide' {
  if (narrow.matches) return 'narrow'
  return wide.matches ? 'wide' : 'middle'
}

for (const query of [narrow, wide]) {
  query.addEventListener('change', () => {
    size.value = sizeNow()
  })
}

export const isNarrow = computed(() => size.value === 'narrow')
export const isWide = computed(() => size.value === 'wide')

/** What is shown on a phone. */
export const region = signal<Region>('main')

export function openRegion(next: Region): void {
  region.value = next
}

/** Whether the panel is shown beside the view, which is remembered. */
const hasPanel = preferredFlag('panel', false)
/** Whether it lies over the view, where there is no room beside it. */
const hasSheet = signal(false)

/** Whether the panel is shown, unless one region is shown at a time. */
export function isPanelOpen(): boolean {
  return isWide.value ? hasPanel.read() : hasSheet.value
}

/** Whether the panel is on the page. */
export function isPanelShown(): boolean {
  return isNarrow.value ? region.value === 'panel' : isPanelOpen()
}

/** What opened the panel. On a phone it is hidden, and so without the focus, before the panel is there. */
let opener: Element | null = null

/** Gives the focus back to what opened the panel, once the panel is gone and the focus with it. */
export function returnFromPanel(): void {
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return
    // The view may have been drawn anew meanwhile, and its button with it.
    const back = opener?.isConnected === true ? opener : document.querySelector('[data-opens=panel]')
    if (back instanceof HTMLElement) back.focus()
  })
}

/** Shows the panel, or hides it. */
export function togglePanel(): void {
  if (!isPanelShown()) opener = document.activeElement
  if (isNarrow.peek()) openRegion(region.peek() === 'panel' ? 'main' : 'panel')
  else showPanel(!isPanelOpen())
}

export function closePanel(): void {
  if (isNarrow.peek()) openRegion('main')
  else showPanel(false)
}

function showPanel(isShown: boolean): void {
  if (isWide.peek()) void hasPanel.write(isShown)
  else hasSheet.value = isShown
}
