import { signal } from '@preact/signals'

interface Opened {
  /** What is written by now, of which a snippet may be made. */
  readonly written: string
  readonly insert: (text: string) => void
}

/** Who asked for the snippets; undefined while they are not shown. */
export const opened = signal<Opened | undefined>(undefined)

/** Shows the saved snippets. @param insert puts one into what is written */
export function openSnippets(written: string, insert: (text: string) => void): void {
  opened.value = { written, insert }
}
