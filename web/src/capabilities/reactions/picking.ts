import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { toggleReaction, type Emoji } from './state.ts'

interface OpenPicker {
  readonly from: HTMLElement
  readonly choose: (emoji: Emoji) => void
}

/** The choice of emoji that is open, and what it is for. */
export const picking = signal<OpenPicker | undefined>(undefined)

/** Opens the choice of emoji beside the element that asks for it. */
export function openPicker(from: HTMLElement, message: Message): void {
  pickEmoji(from, (emoji) => void toggleReaction(message, emoji))
}

/** Lets an emoji be chosen. */
export function pickEmoji(from: HTMLElement, choose: (emoji: Emoji) => void): void {
  picking.value = { from, choose }
}

/** Closes it and gives the focus back to what opened it. */
export function closePicker(): void {
  const { value } = picking
  picking.value = undefined
  value?.from.focus()
}
