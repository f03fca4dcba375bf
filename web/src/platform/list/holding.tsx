import { useEffect } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { afterPaint } from '../dom/painted.ts'
import { announce } from '../overlay/announce.tsx'
import { mainLists, sidebarLists, type HeldLists } from './held-lists.ts'
import './holding.css'

/*
 * While the pointer or the focus is in an element, its lists keep their order, so that nothing moves before a click.
 * Touch screens keep `:hover` on the last tapped element, so there the order is kept until the scrolling ends.
 */

/** Long enough for momentum scrolling, or for a second tap. */
const TOUCH_SETTLE_MILLISECONDS = 1_000

const NEWS_MILLISECONDS = 3_000

const canHover = window.matchMedia('(hover: hover)')
let touched: EventTarget | null = null
let settling: ReturnType<typeof setTimeout> | undefined

function isOrderHeld({ id }: HeldLists): boolean {
  if (touched instanceof Element && touched.closest(`#${id}`) !== null) return true
  // Toasts are above the lists, and their buttons change the lists.
  if (canHover.matches && document.querySelector(`#${id}:hover:not(:has(.toasts:hover))`) !== null) return true
  // Text fields are beside the lists. An open menu belongs to a row, wherever the menu is in the document.
  const focused = `#${id} :focus-visible:not(input, textarea, .toasts *), [role=menuitem]`
  return document.activeElement?.matches(focused) === true
}

export function applyNewOrder(lists: HeldLists): void {
  const { activeElement: focused } = document
  lists.isOutdated = false
  lists.version.value += 1
  // Moving an element in the document takes its focus.
  afterPaint(() => {
    if (document.activeElement === document.body && focused instanceof HTMLElement)
      focused.focus({ preventScroll: true })
  })
}

function applyNewOrderUnlessHeld(): void {
  for (const lists of [mainLists, sidebarLists]) if (lists.isOutdated && !isOrderHeld(lists)) applyNewOrder(lists)
}

for (const leaving of ['pointerout', 'focusout']) {
  addEventListener(leaving, () => {
    if (mainLists.isOutdated || sidebarLists.isOutdated) afterPaint(applyNewOrderUnlessHeld)
  })
}

function releaseAfterScroll(): void {
  clearTimeout(settling)
  settling = setTimeout(() => {
    touched = null
    settling = undefined
    applyNewOrderUnlessHeld()
  }, TOUCH_SETTLE_MILLISECONDS)
}

const LISTENER_OPTIONS = { capture: true, passive: true }
addEventListener(
  'touchstart',
  ({ target }) => {
    clearTimeout(settling)
    settling = undefined
    touched = target
  },
  LISTENER_OPTIONS,
)
for (const lifted of ['touchend', 'touchcancel']) addEventListener(lifted, releaseAfterScroll, LISTENER_OPTIONS)
addEventListener('scroll', () => settling !== undefined && releaseAfterScroll(), LISTENER_OPTIONS)

interface HeldOrder<Thing> {
  readonly rows: readonly Thing[]
  /** Number of things that are not among the rows, or moved up. */
  readonly news: number
}

/** Returns undefined if nothing holds the order, or there are no rows to hold. */
export function holdOrder<Thing extends object | string>(
  lists: HeldLists,
  before: readonly Thing[],
  things: readonly Thing[],
  keyOf: (thing: Thing) => string | number,
  isGrouped: boolean,
): HeldOrder<Thing> | undefined {
  if (before.length === 0 || things.length === 0 || !isOrderHeld(lists)) return undefined
  const byKey = new Map(things.map((thing) => [keyOf(thing), thing]))
  const known = new Set(before.map(keyOf))
  const end = isGrouped ? things.length : things.findLastIndex((thing) => known.has(keyOf(thing))) + 1
  // Rows added at the end, such as the next page, move nothing.
  const rows = [...before.map((row) => byKey.get(keyOf(row)) ?? row), ...things.slice(end)]
  const places = new Map(rows.map((row, index) => [row, index]))
  let last = rows.length
  let news = 0
  for (const thing of things.toReversed()) {
    const place = places.get(thing) ?? last
    if (place < last) last = place
    else news += 1
  }
  if (news > 0 || rows.length > things.length) lists.isOutdated = true
  return { rows, news }
}

function rowsOf({ id }: HeldLists): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${id} :is([data-row], [data-item])`)]
}

/** Focuses the first row that is new or has moved up, and colors it briefly, because it may look like its neighbors. */
function focusNews(rows: readonly HTMLElement[], before: readonly HTMLElement[]): void {
  const kept = before.filter((row) => row.isConnected)
  const news = rows.find((row, index) => row !== kept[index])
  ;(news ?? rows[0])?.focus()
  news?.animate({ backgroundColor: ['var(--chosen)', 'transparent'] }, NEWS_MILLISECONDS)
}

export function NewRows({ lists }: { readonly lists: HeldLists }) {
  const text = tl().lists.news(lists.newRowCount.value)
  // Announces only the first count, because each further count would interrupt the screen reader.
  useEffect(() => announce(text), [])
  const show = (): void => {
    const before = rowsOf(lists)
    applyNewOrder(lists)
    // The button, which has the focus, disappears.
    afterPaint(() => focusNews(rowsOf(lists), before))
  }
  return (
    <button class="new-rows" onClick={show}>
      {text}
    </button>
  )
}
