import type { ComponentChildren } from 'preact'
import type { IconName } from './icons.ts'
import type { Message } from './message.ts'
import type { Place } from './route.ts'

/** Groups of a message's menu. Actions without a group are in the last one. */
export type MenuGroup = 'talk' | 'read' | 'copy' | 'manage'

export interface MenuSign {
  readonly id: string
  readonly title: string
  readonly sign: ComponentChildren
  readonly run: () => void
}

/** An action on a message, available in its toolbar, in its menu, and by key while the message has the focus. */
export interface MessageAction {
  readonly id: string
  /** The keyboard shortcuts page calls this without a message and gets the initial title. */
  readonly title: (message?: Message) => string
  readonly icon: IconName
  readonly keys?: readonly string[]
  /** Whether the toolbar also shows the action, always or depending on the view. */
  readonly isQuick?: boolean | (() => boolean)
  readonly isDangerous?: boolean
  readonly group?: MenuGroup
  /** Whether the action is available only by key, because the menu offers it in another form. */
  readonly isKeyOnly?: boolean
  /** Common answers to the action's question, shown above the menu. */
  readonly choices?: (message: Message) => readonly MenuSign[]
  readonly when?: (message: Message) => boolean
  /** @param from the element that triggered it, for popups beside it */
  readonly run: (message: Message, from: HTMLElement) => void
}

/** An action on a whole conversation or channel, in its header and its menu. */
export interface PlaceAction {
  readonly id: string
  readonly title: (place: Place) => string
  readonly icon: IconName
  /** Whether the header also shows the action. */
  readonly isQuick?: boolean
  /** For toggles: whether the toggle is on. */
  readonly isOn?: (place: Place) => boolean
  readonly isDangerous?: boolean
  readonly when?: (place: Place) => boolean
  /** @param from the element that triggered it, for popups beside it */
  readonly run: (place: Place, from: HTMLElement) => void
}

export interface PersonAction {
  readonly id: string
  readonly title: (userId: number) => string
  readonly icon: IconName
  readonly when?: (userId: number) => boolean
  readonly run: (userId: number) => void
}

/** Renders a part of a message; undefined if there is nothing to show. */
export type MessagePart = (message: Message) => ComponentChildren | undefined

/**
 * A client feature, with the same name as the server's. Lists all that the feature adds to the client, except settings
 * pages (`settings.ts`).
 */
export interface Capability {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly messageActions?: readonly MessageAction[]
  readonly placeActions?: readonly PlaceAction[]
  readonly personActions?: readonly PersonAction[]
  /** Replaces the whole message, including its author and actions. */
  readonly messageCover?: MessagePart
  /** Replaces the message's content. */
  readonly messageBody?: MessagePart
  /** Shown below the message's content. */
  readonly messageFooter?: MessagePart
  readonly overlays?: readonly (() => ComponentChildren)[]
  /** Called once, when the first state is available. */
  readonly begin?: () => void
}

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
