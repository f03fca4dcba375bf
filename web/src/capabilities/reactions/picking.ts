import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { toggleReaction, type Emoji } from './state.ts'

interface OpenPicker {
  readonly from: HTMLElement
  readonly choose: (emoji: Emoji) => void
}

/** The open emoji picker and its purpose. */
export const picking = signal<OpenPicker | undefined>(undefined)

export function openPicker(from: HTMLElement, message: Message): void {
  pickEmoji(from, (emoji) => void toggleReaction(message, emoji))
}

export function pickEmoji(from: HTMLElement, choose: (emoji: Emoji) => void): void {
  picking.value = { from, choose }
}

/** Closes the picker and returns the focus. */
export function closePicker(): void {
  const { value } = picking
  picking.value = undefined
  value?.from.focus()
}
