import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const FOCUSABLE = ':is(button, input, select, textarea):not(:disabled, [hidden]), a[href]'

interface PressedButton {
  readonly button: Element
  /** The ancestors that can remain, innermost first, with the neighbors of the part that can disappear. */
  readonly places: readonly { readonly parent: Element; readonly neighbors: readonly (Element | null)[] }[]
}

/** Focuses what follows a button that disappears with its action, such as a row's "Remove". */
export function useRemovedFocus(container: RefObject<HTMLElement | null>, heading: string): void {
  useLayoutEffect(() => {
    const { current: root } = container
    if (root === null) return undefined
    let pressed: PressedButton | undefined
    const note = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest('button') : null
      pressed = button === null ? undefined : { button, places: placesOf(button, root) }
    }
    const observer = new MutationObserver(() => {
      if (pressed === undefined || pressed.button.isConnected) return
      const { activeElement, body } = document
      const next = activeElement === body ? nextTo(pressed) : undefined
      pressed = undefined
      const title = root.querySelector<HTMLElement>(heading)
      if (activeElement !== body) return
      if (next === undefined && title !== null) title.tabIndex = -1
      ;(next ?? title)?.focus()
    })
    root.addEventListener('click', note, { capture: true })
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('click', note, { capture: true })
    }
  }, [])
}

function placesOf(button: Element, root: Element): PressedButton['places'] {
  const places = []
  for (let part = button; part !== root && part.parentElement !== null; part = part.parentElement)
    places.push({ parent: part.parentElement, neighbors: [part.nextElementSibling, part.previousElementSibling] })
  return places
}

function nextTo({ places }: PressedButton): HTMLElement | undefined {
  const remaining = places.filter(({ parent }) => parent.isConnected)
  for (const { neighbors } of remaining)
    for (const neighbor of neighbors) {
      if (neighbor?.isConnected !== true) continue
      const found = neighbor.matches(FOCUSABLE) ? neighbor : neighbor.querySelector(FOCUSABLE)
      if (found instanceof HTMLElement) return found
    }
  return undefined
}
