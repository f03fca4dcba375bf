import { effect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isNarrow } from './frame.ts'

/*
 * What lies over the view: a dialog, a menu, the sidebar of a phone. On a phone people close that by going back, so each
 * has an entry there in the browser's history, above that of the view; when it is closed otherwise, its entry goes too.
 */

/** What closes each, the lowest first. */
const layers: RefObject<(() => void) | undefined>[] = []

/** The browser goes back to where we sent it, and says so later. What is entered meanwhile waits, or it would go back from that. */
let isTravelling = false
const waiting: (() => void)[] = []

/** Has the system's Back close what is open before it leaves the view. @param close undefined while nothing is open */
export function useLayer(close: (() => void) | undefined): void {
  const latest = useRef(close)
  latest.current = close
  const isOpen = close !== undefined
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    layers.push(latest)
    // What is opened in place of something else takes over its entry.
    queueMicrotask(settle)
    return () => {
      const at = layers.indexOf(latest)
      if (at !== -1) layers.splice(at, 1)
      queueMicrotask(settle)
    }
  }, [isOpen])
}

/** Enters the address of a view into the history, in place of the present one or as a step from it. */
export function enterAddress(href: string, replace: boolean): void {
  const enter = (): void => {
    // Where one goes on from what lies over a view, its entry becomes that of the next view.
    if (replace || entries() > 0) window.history.replaceState(null, '', href)
    else window.history.pushState(null, '', href)
    queueMicrotask(settle)
  }
  const lowest = replace ? 0 : 1
  if (!isTravelling && entries() <= lowest) enter()
  else {
    waiting.push(enter)
    if (!isTravelling) travel(lowest)
  }
}

/** Follows the browser's back and forward. @param arrive is called when it shows another view */
export function followBack(arrive: () => void): void {
  window.addEventListener('popstate', () => {
    if (isTravelling) {
      isTravelling = false
      for (const enter of waiting.splice(0)) enter()
    } else {
      const closed = isNarrow.peek() ? layers.splice(entries()) : []
      for (const layer of closed.toReversed()) layer.current?.()
      arrive()
    }
    settle()
  })
  // After a reload nothing lies over the view, and on a wider screen nothing is closed by going back.
  effect(() => {
    void isNarrow.value
    settle()
  })
}

/** How many entries of layers there are, up to where the browser is. */
function entries(): number {
  // Entries have the state that is given them here, or none.
  return (window.history.state as { readonly layers: number } | null)?.layers ?? 0
}

function travel(to: number): void {
  isTravelling = true
  window.history.go(to - entries())
}

/** Makes as many entries as there are layers. */
function settle(): void {
  if (isTravelling) return
  const wanted = isNarrow.peek() ? layers.length : 0
  if (entries() > wanted) travel(wanted)
  while (entries() < wanted) window.history.pushState({ layers: entries() + 1 }, '')
}
