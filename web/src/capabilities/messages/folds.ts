import { signal } from '@preact/signals'

/** The id of a message, or the key of one that is not there yet. */
export type FoldKey = number | string

/** What one chose of high messages while the page is open: to see all of them, or their beginning alone. */
const chosen = signal<ReadonlyMap<FoldKey, boolean>>(new Map())

/** Whether one chose to see all of a message; undefined where one chose nothing. */
export function chosenFold(id: FoldKey): boolean | undefined {
  return chosen.value.get(id)
}

export function chooseFold(id: FoldKey, isOpen: boolean): void {
  chosen.value = new Map([...chosen.value, [id, isOpen]])
}
