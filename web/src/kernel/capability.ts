import type { ComponentChildren } from 'preact'
import type { Command } from './command.ts'
import type { IconName } from './icons.ts'
import type { Message } from './message.ts'
import type { Place } from './route.ts'
import type { SettingsSection } from './setting.ts'

/** Where something stands in the menu of a message; what names none stands in the last group. */
export type MenuGroup = 'talk' | 'read' | 'copy' | 'manage'

/** One of a few things to choose from, shown by a sign. */
export interface MenuSign {
  readonly id: string
  readonly title: string
  readonly sign: ComponentChildren
  readonly run: () => void
}

/** Something that can be done with a message: in its toolbar, its menu and by a key while it has the focus. */
export interface MessageAction {
  readonly id: string
  /** What it does; without a message, in the map of keys, what it does at first. */
  readonly title: (message?: Message) => string
  readonly icon: IconName
  /** Key combinations, as commands have them. */
  readonly keys?: readonly string[]
  /** Stands in the toolbar itself and not only in the menu, everywhere or in some views. */
  readonly isQuick?: boolean | (() => boolean)
  readonly isDangerous?: boolean
  readonly group?: MenuGroup
  /** Is done by its key alone: the menu offers the same in another way. */
  readonly isKeyOnly?: boolean
  /** The usual answers to what it asks, above the menu. */
  readonly choices?: (message: Message) => readonly MenuSign[]
  readonly when?: (message: Message) => boolean
  /** @param from the element that asked for it, where something is shown beside it */
  readonly run: (message: Message, from: HTMLElement) => void
}

/** Something that can be done with a conversation or a channel as a whole: in the head of its view and in its menu. */
export interface PlaceAction {
  readonly id: string
  readonly title: (place: Place) => string
  readonly icon: IconName
  /** Stands in the head itself and not only in the menu. */
  readonly isQuick?: boolean
  /** For what is switched on and off: whether it is on. */
  readonly isOn?: (place: Place) => boolean
  readonly isDangerous?: boolean
  readonly when?: (place: Place) => boolean
  /** @param from the element that asked for it, where something is shown beside it */
  readonly run: (place: Place, from: HTMLElement) => void
}

/** Something that can be done with a person: on their card. */
export interface PersonAction {
  readonly id: string
  readonly title: (userId: number) => string
  readonly icon: IconName
  readonly when?: (userId: number) => boolean
  readonly run: (userId: number) => void
}

/** Shows something of a message; undefined where it has nothing to show. */
export type MessagePart = (message: Message) => ComponentChildren | undefined

/** One feature of the client, called as the server's. What it adds to the client stands here, and nowhere else. */
export interface Capability {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly messageActions?: readonly MessageAction[]
  readonly placeActions?: readonly PlaceAction[]
  readonly personActions?: readonly PersonAction[]
  /** Stands in place of a whole message, with who wrote it and what can be done with it. */
  readonly messageCover?: MessagePart
  /** Stands in place of a message's content. */
  readonly messageBody?: MessagePart
  /** Stands below a message's content. */
  readonly messageFooter?: MessagePart
  /** Its pages of the settings; is called when settings are shown or looked for. */
  readonly settings?: () => Promise<readonly SettingsSection[]>
  /** Components that lie over every view, such as dialogs; each shows nothing until it is opened. */
  readonly overlays?: readonly (() => ComponentChildren)[]
  /** Is called once, when there is a state. */
  readonly begin?: () => void
}
