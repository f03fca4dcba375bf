import { useEffect } from 'preact/hooks'
import { afterPaint } from './painted.ts'

/* Adds a tree's keyboard navigation to nested lists, by `data-item`, `aria-expanded` (toggles), and `data-branch`. */

const TYPE_AHEAD_TIMEOUT_MILLISECONDS = 700

const ITEM_SELECTOR = '[data-item]'

interface TreeNavigation {
  /** Has `data-by-keys` during keyboard navigation, when letters find rows. After a click, letters run commands. */
  readonly root: HTMLElement
  typed: string
  typedAt: number
}

export function useTreeNavigation(element: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const root = element.current
    if (root === null) return undefined
    const walk: TreeNavigation = { root, typed: '', typedAt: 0 }
    const onKeyDown = (event: KeyboardEvent): void => onKey(event, walk)
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.matches(ITEM_SELECTOR)) setTabStop(root, target)
    }
    const onClick = (): void => {
      delete root.dataset['byKeys']
    }
    // Visibility checks force layout, so they wait until after the paint.
    let isDue = false
    const watch = new MutationObserver(() => {
      if (isDue) return
      isDue = true
      afterPaint(() => {
        isDue = false
        setTabStop(root)
      })
    })
    watch.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-current'] })
    root.addEventListener('keydown', onKeyDown)
    root.addEventListener('focusin', onFocus)
    root.addEventListener('click', onClick)
    setTabStop(root)
    return () => {
      watch.disconnect()
      root.removeEventListener('keydown', onKeyDown)
      root.removeEventListener('focusin', onFocus)
      root.removeEventListener('click', onClick)
    }
  }, [])
}

function visibleItemsIn(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(ITEM_SELECTOR)].filter((item) => item.checkVisibility())
}

function setTabStop(root: HTMLElement, wanted?: HTMLElement): void {
  const items = visibleItemsIn(root)
  const focused = items.find((item) => item === (wanted ?? document.activeElement))
  const stop = focused ?? items.find((item) => item.hasAttribute('aria-current')) ?? items[0]
  for (const item of items) item.tabIndex = item === stop ? 0 : -1
}

function onKey(event: KeyboardEvent, walk: TreeNavigation): void {
  const items = visibleItemsIn(walk.root)
  const at = items.findIndex((item) => item === event.target)
  const item = items[at]
  if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const target = itemForKey(event, walk, items, at)
  if (target === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (target === 'fold') toggleOf(item)?.click()
  else target.focus()
  // Set after the click, whose event resets this flag.
  walk.root.dataset['byKeys'] = ''
}

function itemForKey(
  event: KeyboardEvent,
  walk: TreeNavigation,
  items: readonly HTMLElement[],
  at: number,
): HTMLElement | 'fold' | undefined {
  const item = items[at]
  if (item === undefined) return undefined
  const isRightToLeft = getComputedStyle(walk.root).direction === 'rtl'
  const [inwards, outwards] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const isUnfolded = toggleOf(item)?.ariaExpanded
  switch (event.key) {
    case 'ArrowDown':
      return items[at + 1] ?? item
    case 'ArrowUp':
      return items[at - 1] ?? item
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    case inwards:
      return isUnfolded === 'false' ? 'fold' : isUnfolded === 'true' ? (items[at + 1] ?? item) : item
    case outwards:
      return isUnfolded === 'true' ? 'fold' : (parentOf(item) ?? item)
    default:
      return event.key.length === 1 && event.key !== ' ' && 'byKeys' in walk.root.dataset
        ? findByTypedText(event, walk, items, at)
        : undefined
  }
}

function toggleOf(item: HTMLElement): HTMLElement | undefined {
  const branch = item.closest('[data-branch]')
  if (branch === null || branch.querySelector(ITEM_SELECTOR) !== item) return undefined
  return branch.querySelector<HTMLElement>('[aria-expanded]') ?? undefined
}

function parentOf(item: HTMLElement): HTMLElement | undefined {
  const own = item.closest('[data-branch]')
  const isHead = own?.querySelector(ITEM_SELECTOR) === item
  const branch = isHead ? own.parentElement?.closest('[data-branch]') : own
  return branch?.querySelector<HTMLElement>(ITEM_SELECTOR) ?? undefined
}

function findByTypedText(
  { key, timeStamp }: KeyboardEvent,
  walk: TreeNavigation,
  items: readonly HTMLElement[],
  at: number,
): HTMLElement | undefined {
  walk.typed =
    timeStamp - walk.typedAt < TYPE_AHEAD_TIMEOUT_MILLISECONDS ? walk.typed + key.toLowerCase() : key.toLowerCase()
  walk.typedAt = timeStamp
  // A first letter searches from the next row on; later letters can still match the current row.
  const from = walk.typed.length === 1 ? at + 1 : at
  const begins = (item: HTMLElement): boolean => item.textContent.trim().toLowerCase().startsWith(walk.typed)
  return [...items.slice(from), ...items.slice(0, from)].find(begins) ?? items[at]
}
