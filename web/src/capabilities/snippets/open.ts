import { signal } from '@preact/signals'

interface SnippetInsertion {
  /** Current text, from which the user can create a snippet. */
  readonly written: string
  readonly insert: (text: string) => void
}

/** The context that opened the snippets; undefined while closed. */
export const opened = signal<SnippetInsertion | undefined>(undefined)

/** @param insert inserts a snippet into the text */
export function openSnippets(written: string, insert: (text: string) => void): void {
  opened.value = { written, insert }
}
