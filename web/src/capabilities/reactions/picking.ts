import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { activeFieldOr } from '../../platform/keys/keys.ts'
import { toggleReaction, type Emoji } from './state.ts'

interface OpenPicker {
  readonly from: HTMLElement
  readonly back: HTMLElement
  readonly choose: (emoji: Emoji) => void
}

export const openedPicker = signal<OpenPicker | undefined>(undefined)

export function openPicker(from: HTMLElement, message: Message): void {
  pickEmoji(from, (emoji) => void toggleReaction(message, emoji))
}

export function pickEmoji(from: HTMLElement, choose: (emoji: Emoji) => void): void {
  openedPicker.value = { from, choose, back: activeFieldOr(from) }
}

export function closePicker(): void {
  const { value } = openedPicker
  openedPicker.value = undefined
  value?.back.focus()
}
