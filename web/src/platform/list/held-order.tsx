import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { runWhenIdle } from '../dom/idle.ts'
import { withPart } from '../dom/lazy.tsx'
import type { HeldLists } from './held-lists.ts'
import type * as Holding from './holding.tsx'

/** Loaded after the first paint; until then, lists always show the newest order. */
const holding = signal<typeof Holding | undefined>(undefined)

function loadHolding(): void {
  const keep = (part: typeof Holding): void => {
    holding.value = part
  }
  void withPart(import('./holding.tsx'), keep, () => undefined)
}

/**
 * Keeps the order of things while the pointer or the keyboard focus is in the lists: each thing has its current content,
 * removed things stay with their last content, and new things wait.
 * @param of identifies the list; a change shows the newest order
 * @param isGrouped whether the view groups the things, so that the last thing may not be at the end of the view
 */
export function useHeldOrder<Thing extends object | string>(
  lists: HeldLists,
  things: readonly Thing[],
  keyOf: (thing: Thing) => string | number,
  of = '',
  isGrouped = false,
): readonly Thing[] {
  const version = `${lists.version.value} ${of}`
  const held = useRef({ version, rows: things })
  const order = held.current.version === version ? holding.peek()?.holdOrder : undefined
  const { rows, news } = order?.(lists, held.current.rows, things, keyOf, isGrouped) ?? { rows: things, news: 0 }
  held.current = { version, rows }
  useEffect(() => {
    lists.newRowCount.value += news
    return () => {
      lists.newRowCount.value -= news
    }
  }, [news])
  return rows
}

export function showNewOrder(lists: HeldLists): void {
  holding.peek()?.applyNewOrder(lists)
}

/** Button that applies the new order. It belongs in a header, where it moves no rows. */
export function NewRowsButton({ lists }: { readonly lists: HeldLists }) {
  const { value: part } = holding
  useEffect(() => runWhenIdle(loadHolding), [])
  return part !== undefined && lists.newRowCount.value > 0 ? <part.NewRows lists={lists} /> : null
}
