import type { Writing } from '../writing.ts'

export interface Warning {
  readonly key: string
  readonly text: string
  readonly action?: { readonly title: string; readonly run: (writing: Writing) => void }
}
