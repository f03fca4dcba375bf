import type { Writing } from '../writing.ts'

/** Something that one may want to know before sending. */
export interface Warning {
  readonly key: string
  readonly text: string
  /** What can be done about it. */
  readonly action?: { readonly title: string; readonly run: (writing: Writing) => void }
}
