import { effect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isNarrow, openRegion, openedRegion } from './frame.ts'

/* On phones, people close layers (dialogs, menus, the sidebar) with Back, so each layer has its own history entry. */

const layers: RefObject<(() => void) | undefined>[] = []

/** While `history.go` is pending, new history entries wait, because the jump would go back past them. */
let isTravelling = false
const waitingChanges: (() => void)[] = []

/** Makes the system's Back button close the top layer before it leaves the view. @param close undefined if not open */
export function useLayer(close: (() => void) | undefined): void {
  const latest = useRef(close)
  latest.current = close
  const isOpen = close !== undefined
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    layers.push(latest)
    // Runs later, so that a layer that replaces this one can reuse its history entry.
    queueMicrotask(adjustHistory)
    return () => {
      const at = layers.indexOf(latest)
      if (at !== -1) layers.splice(at, 1)
      queueMicrotask(adjustHistory)
    }
  }, [isOpen])
}

/** @param isListed whether the view is in a list of the sidebar: if it was chosen there, Back returns to the list */
export function enterUrl(href: string, replace: boolean, isListed: boolean): void {
  const region = openedRegion.peek()
  const list = isListed && isNarrow.peek() && (region === 'channels' || region === 'directs') ? region : undefined
  const enter = (): void => {
    if (list !== undefined && layerEntryCount() > 0) {
      window.history.replaceState({ layers: layerEntryCount(), list } satisfies EntryState, '')
      window.history.pushState(null, '', href)
    }
    // Navigation from other layers reuses the layer's entry.
    else if (replace || layerEntryCount() > 0) window.history.replaceState(null, '', href)
    else window.history.pushState(null, '', href)
    queueMicrotask(adjustHistory)
  }
  const lowest = replace ? 0 : 1
  if (!isTravelling && layerEntryCount() <= lowest) enter()
  else {
    waitingChanges.push(enter)
    if (!isTravelling) goToLayerEntry(lowest)
  }
}

export function followBack(arrive: () => void): void {
  window.addEventListener('popstate', () => {
    if (isTravelling) {
      isTravelling = false
      for (const enter of waitingChanges.splice(0)) enter()
    } else {
      const closed = isNarrow.peek() ? layers.splice(layerEntryCount()) : []
      for (const layer of closed.toReversed()) layer.current?.()
      const { list } = currentEntryState()
      const isListClosed = isNarrow.peek() && layers.length === 0
      arrive()
      // Opening the list's layer adjusts the history.
      if (list !== undefined && isListClosed) return openRegion(list)
    }
    adjustHistory()
  })
  // Adjusts the history after a reload, which closes all layers, and on wide screens, where Back closes no layer.
  effect(() => {
    void isNarrow.value
    adjustHistory()
  })
}

interface EntryState {
  readonly layers: number
  /** List that the entry shows again when the person goes back to it. */
  readonly list?: 'channels' | 'directs'
}

function currentEntryState(): EntryState {
  // Safe: only this module sets the state of history entries.
  return (window.history.state as EntryState | null) ?? { layers: 0 }
}

function layerEntryCount(): number {
  return currentEntryState().layers
}

function goToLayerEntry(to: number): void {
  isTravelling = true
  window.history.go(to - layerEntryCount())
}

function adjustHistory(): void {
  if (isTravelling) return
  const wanted = isNarrow.peek() ? layers.length : 0
  if (layerEntryCount() > wanted) goToLayerEntry(wanted)
  while (layerEntryCount() < wanted) window.history.pushState({ layers: layerEntryCount() + 1 }, '')
}
