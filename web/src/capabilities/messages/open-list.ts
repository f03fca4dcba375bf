import { signal, type ReadonlySignal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import { shownRoute } from '../../platform/router.ts'

export interface OpenListState {
  readonly place: Place
  readonly ids: ReadonlySignal<readonly number[]>
  readonly isAtEnd: ReadonlySignal<boolean>
  readonly topmost: ReadonlySignal<number | undefined>
  /** @param isAnswer whether the reader jumps there by answering, and then reads the messages in view */
  readonly toEnd: (isAnswer?: boolean) => void
  /** Keeps a message at its position, or moves it up by `by` pixels. */
  readonly hold: (id: FoldKey, by: number) => void
  /** Keeps a message in view when content below the list needs space. */
  readonly keep: (id: number) => void
}

export const openedList = signal<OpenListState | undefined>(undefined)

/** ID of a message, or key of an unsent message. */
export type FoldKey = number | string

const chosenFolds = signal<ReadonlyMap<FoldKey, boolean>>(new Map())

export function chosenFold(id: FoldKey): boolean | undefined {
  return chosenFolds.value.get(id)
}

export function chooseFold(id: FoldKey, isOpen: boolean): void {
  chosenFolds.value = new Map([...chosenFolds.value, [id, isOpen]])
}

const shownRows = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

export function moveFocus(step: 1 | -1): void {
  const rows = shownRows()
  const at = focusedIndex(rows)
  const target = at === -1 ? firstRowToFocus(rows) : rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  target?.focus()
}

export function movePage(direction: 1 | -1): void {
  const rows = shownRows()
  const from = rows[focusedIndex(rows)] ?? firstRowToFocus(rows)
  const height = document.querySelector('main .list')?.clientHeight ?? 0
  if (from === undefined) return
  const { top } = from.getBoundingClientRect()
  const isAway = (row: HTMLElement): boolean => (row.getBoundingClientRect().top - top) * direction >= height
  const target = direction === 1 ? (rows.find(isAway) ?? rows.at(-1)) : (rows.findLast(isAway) ?? rows[0])
  target?.focus()
}

export function moveToEdge(edge: 'first' | 'last'): void {
  shownRows()
    .at(edge === 'first' ? 0 : -1)
    ?.focus()
}

function focusedIndex(rows: readonly HTMLElement[]): number {
  return rows.findIndex((row) => row.contains(document.activeElement))
}

/** Message lists start at the end; conversation lists, and messages in triage, start at the top. */
function firstRowToFocus(rows: readonly HTMLElement[]): HTMLElement | undefined {
  const list = document.querySelector('main .list')
  if (list === null) return rows.find(isInView)
  if (shownRoute().view !== 'triage') return rows.findLast(isInView)
  const { top } = list.getBoundingClientRect()
  return rows.find((row) => row.getBoundingClientRect().top >= top)
}

export function isInView(row: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect()
  return top >= 0 && top < window.innerHeight
}
