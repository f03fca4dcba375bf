import { signal, type ReadonlySignal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import type { FoldKey } from './folds.ts'

export interface OpenListState {
  readonly place: Place
  readonly ids: ReadonlySignal<readonly number[]>
  readonly isAtEnd: ReadonlySignal<boolean>
  readonly toEnd: () => void
  /** Keeps a message at its position, or moves it up by this many pixels. */
  readonly hold: (id: FoldKey, by: number) => void
  /** Keeps a message in view when content below the list needs space. */
  readonly keep: (id: number) => void
}

export const openList = signal<OpenListState | undefined>(undefined)
