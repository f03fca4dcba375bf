import type { ComponentChildren } from 'preact'
import type { IconName } from './icons.ts'
import type { Message } from './message.ts'
import type { Place } from './route.ts'

/** Groups in a message's menu. Actions without a group are in `manage`; those in `rare`, in a menu of their own. */
export type MenuGroup = 'talk' | 'read' | 'copy' | 'manage' | 'rare'

/** Position in the window, in pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface MenuSign {
  readonly id: string
  readonly title: string
  readonly sign: ComponentChildren
  readonly isOn?: boolean
  readonly run: () => void
}

/** Action on a message, available in its toolbar, in its menu, and by key while the message has the focus. */
export interface MessageAction {
  readonly id: string
  /** The keyboard shortcuts page calls this without a message and gets the initial title. */
  readonly title: (message?: Message) => string
  readonly icon: IconName
  readonly keys?: readonly string[]
  /** Whether the toolbar also shows the action. */
  readonly isQuick?: boolean | (() => boolean)
  readonly isDangerous?: boolean
  readonly group?: MenuGroup
  /** Whether the menu omits this action, because another item or the view already offers it. */
  readonly isKeyOnly?: boolean | ((message: Message) => boolean)
  /** Common choices for the action, such as frequent emoji for a reaction, shown above the menu. */
  readonly choices?: (message: Message) => readonly MenuSign[]
  /** Number of choices that the toolbar shows before the action. */
  readonly quickChoices?: number
  readonly when?: (message: Message) => boolean
  /** Reason why the user cannot run the action. The menu shows it, and the toolbar omits the action. */
  readonly refusal?: (message: Message) => string | undefined
  /**
   * @param from the element that triggered the action; popups open beside it
   * @param at where the menu with the action opened; popups open there instead
   */
  readonly run: (message: Message, from: HTMLElement, at?: Point) => void
}

/** Action on a conversation or channel, available in its header and its menu. */
export interface PlaceAction {
  readonly id: string
  readonly title: (place: Place) => string
  readonly icon: IconName
  readonly isQuick?: boolean
  /** Whether a wide header shows the title beside an icon that does not explain itself. */
  readonly isLabeled?: boolean
  readonly isOn?: (place: Place) => boolean
  readonly isDangerous?: boolean
  readonly when?: (place: Place) => boolean
  /** @param from the element that triggered the action; popups open beside it */
  readonly run: (place: Place, from: HTMLElement) => void
}

export interface PersonAction {
  readonly id: string
  readonly title: (userId: number) => string
  readonly icon: IconName
  readonly when?: (userId: number) => boolean
  readonly run: (userId: number) => void
}

export type MessagePart = (message: Message) => ComponentChildren | undefined

/** Everything that a feature adds to the client, except settings pages (`settings.ts`). */
export interface Capability {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly messageActions?: readonly MessageAction[]
  readonly placeActions?: readonly PlaceAction[]
  readonly personActions?: readonly PersonAction[]
  /** Replaces the whole message, including its author and actions. */
  readonly messageCover?: MessagePart
  readonly messageBody?: MessagePart
  readonly messageFooter?: MessagePart
  /** Shown in the header of a channel or topic, before its actions. */
  readonly headerPart?: (place: Place) => ComponentChildren
  readonly overlays?: readonly (() => ComponentChildren)[]
  readonly begin?: () => void
}

/** Action that is available by key, in the palette, or in a menu. */
export interface Command {
  /** Permanent ID, for example `channels.new`, under which custom keys are stored. */
  readonly id: string
  readonly title: () => string
  readonly icon?: IconName
  /** For example `n`, `Ctrl+k`, or `Shift+Escape`; `Ctrl` means the command key on a Mac. */
  readonly keys?: readonly string[]
  /** Whether these keys go to the browser instead of the command while a text field has the focus. */
  readonly yieldsToFields?: () => boolean
  readonly when?: () => boolean
  readonly run: () => void
}
