import { signal } from '@preact/signals'

/** A message's ID, or the key of one not yet sent. */
export type FoldKey = number | string

/** User's choice to expand or collapse tall messages. */
const chosen = signal<ReadonlyMap<FoldKey, boolean>>(new Map())

/** Whether the user expanded a message; undefined without a choice. */
export function chosenFold(id: FoldKey): boolean | undefined {
  return chosen.value.get(id)
}

export function chooseFold(id: FoldKey, isOpen: boolean): void {
  chosen.value = new Map([...chosen.value, [id, isOpen]])
}
