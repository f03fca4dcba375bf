import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { fieldOr } from '../../platform/keys/keys.ts'
import { toggleReaction, type Emoji } from './state.ts'

interface OpenPicker {
  readonly from: HTMLElement
  readonly back: HTMLElement
  readonly choose: (emoji: Emoji) => void
}

export const picking = signal<OpenPicker | undefined>(undefined)

export function openPicker(from: HTMLElement, message: Message): void {
  pickEmoji(from, (emoji) => void toggleReaction(message, emoji))
}

export function pickEmoji(from: HTMLElement, choose: (emoji: Emoji) => void): void {
  picking.value = { from, choose, back: fieldOr(from) }
}

export function closePicker(): void {
  const { value } = picking
  picking.value = undefined
  value?.back.focus()
}
