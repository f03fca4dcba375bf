import { signal } from '@preact/signals'

/** What one chose of high messages while the page is open: to see all of them, or their beginning alone. */
const chosen = signal<ReadonlyMap<number, boolean>>(new Map())

/** Whether one chose to see all of a message; undefined where one chose nothing. */
export function chosenFold(id: number): boolean | undefined {
  return chosen.value.get(id)
}

export function chooseFold(id: number, isOpen: boolean): void {
  chosen.value = new Map([...chosen.value, [id, isOpen]])
}
