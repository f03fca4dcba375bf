import type { IconName } from '../../../kernel/icons.ts'
import type { Emoji } from '../../reactions/state.ts'

export interface Suggestion {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly userId?: number
  /** Text in place of a profile picture. */
  readonly icon?: IconName
  readonly emoji?: Emoji
  /** Whether the user can see the item but not use it. */
  readonly isDenied?: boolean
  /** Text that replaces the typed characters. */
  readonly text: string
}
