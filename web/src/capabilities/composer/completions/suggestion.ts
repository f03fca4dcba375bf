import type { IconName } from '../../../kernel/icons.ts'
import type { Emoji } from '../../reactions/state.ts'

/** Something that may be meant by what was typed. */
export interface Suggestion {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly userId?: number
  /** Stands where the picture of a person stands. */
  readonly icon?: IconName
  readonly emoji?: Emoji
  /** It is there, and one may not use it. */
  readonly isDenied?: boolean
  /** What stands in the text in place of what was typed. */
  readonly text: string
}
