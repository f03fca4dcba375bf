import type { IconName } from './icons.ts'

/** An action available by key, in the palette, or in a menu. */
export interface Command {
  /** Permanent ID, for example `channels.new`, under which custom keys are stored. */
  readonly id: string
  readonly title: () => string
  readonly icon?: IconName
  /** Key combinations such as `n`, `Ctrl+k`, or `Shift+Escape`; `Ctrl` means the command key on a Mac. */
  readonly keys?: readonly string[]
  /** Whether a text field leaves these keys to the browser. */
  readonly yieldsToFields?: boolean
  /** Whether the command is available now. Default: always. */
  readonly when?: () => boolean
  readonly run: () => void
}
