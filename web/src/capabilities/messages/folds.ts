import { signal } from '@preact/signals'

/** ID of a message, or key of a message that is not yet sent. */
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
