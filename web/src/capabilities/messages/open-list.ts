import { signal, type ReadonlySignal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import type { FoldKey } from './folds.ts'

export interface OpenListState {
  readonly place: Place
  /** Its messages, ascending. */
  readonly ids: ReadonlySignal<readonly number[]>
  readonly isAtEnd: ReadonlySignal<boolean>
  readonly toEnd: () => void
  /** Keeps a message where it is, or this many pixels further up, whatever else would have kept its place. */
  readonly hold: (id: FoldKey, by: number) => void
  /** Keeps a message where it is, and in view, when what stands below the list needs room. */
  readonly keep: (id: number) => void
}

/** The list of messages on screen. */
export const openList = signal<OpenListState | undefined>(undefined)
