import { signal } from '@preact/signals'

interface SnippetInsertion {
  /** Text in the field, from which the user can create a snippet. */
  readonly written: string
  readonly insert: (text: string) => void
}

export const openedInsertion = signal<SnippetInsertion | undefined>(undefined)

export function openSnippets(written: string, insert: (text: string) => void): void {
  openedInsertion.value = { written, insert }
}
