import type { IconName } from './icons.ts'

/** Something that can be done by a key, in the palette or in a menu. */
export interface Command {
  /** Tells it apart for good: `channels.new`. Keys that people choose are stored by it. */
  readonly id: string
  readonly title: () => string
  readonly icon?: IconName
  /** Key combinations, such as `n`, `Ctrl+k` or `Shift+Escape`; `Ctrl` is the command key on a Mac. */
  readonly keys?: readonly string[]
  /** In a field its keys do what the browser does by them there. */
  readonly yieldsToFields?: boolean
  /** Whether it can be done now; always, where it is left out. */
  readonly when?: () => boolean
  readonly run: () => void
}
