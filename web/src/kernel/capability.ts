import type { ComponentChildren } from 'preact'
import type { Command } from './command.ts'
import type { IconName } from './icons.ts'
import type { Message } from './message.ts'

/** Something that can be done with a message: in its toolbar, its menu and by a key while it has the focus. */
export interface MessageAction {
  readonly id: string
  readonly title: (message: Message) => string
  readonly icon: IconName
  /** A key combination, as commands have them. */
  readonly key?: string
  /** Stands in the toolbar itself and not only in the menu. */
  readonly isQuick?: boolean
  readonly isDangerous?: boolean
  readonly when?: (message: Message) => boolean
  /** @param from the element that asked for it, where something is shown beside it */
  readonly run: (message: Message, from: HTMLElement) => void
}

/** Shows something of a message; undefined where it has nothing to show. */
export type MessagePart = (message: Message) => ComponentChildren | undefined

/** One feature of the client, called as the server's. What it adds to the client stands here, and nowhere else. */
export interface Capability {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly messageActions?: readonly MessageAction[]
  /** Stands in place of a message's content. */
  readonly messageBody?: MessagePart
  /** Stands below a message's content. */
  readonly messageFooter?: MessagePart
  /** Is called once, when there is a state. */
  readonly begin?: () => void
}
