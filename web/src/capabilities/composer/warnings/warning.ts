import type { Composition } from '../composition.ts'

export interface Warning {
  readonly key: string
  readonly text: string
  readonly action?: { readonly title: string; readonly run: (writing: Composition) => void }
}
