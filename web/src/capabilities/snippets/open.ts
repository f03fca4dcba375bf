import { signal } from '@preact/signals'

interface SnippetInsertion {
  /** Text in the field, from which the user can create a snippet. */
  readonly written: string
  readonly insert: (text: string) => void
}

export const openInsertion = signal<SnippetInsertion | undefined>(undefined)

export function openSnippets(written: string, insert: (text: string) => void): void {
  openInsertion.value = { written, insert }
}
