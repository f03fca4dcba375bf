import { signal } from '@preact/signals'
import type { Point } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import { activeFieldOrOpener } from '../../platform/keys/keys.ts'
import { recordEmojiUse, toggleReaction, type Emoji } from './state.ts'

interface PickerRequest {
  readonly from: HTMLElement
  readonly at?: Point | undefined
  /** @param text the emoji as text of a message */
  readonly choose: (emoji: Emoji, text: string) => void
  /** Whether the emoji can have a skin tone. The API accepts skin tones in text, but not in reactions and statuses. */
  readonly hasTones?: boolean
}

export interface OpenPicker extends PickerRequest {
  readonly back: HTMLElement
}

export const openedPicker = signal<OpenPicker | undefined>(undefined)

export function openPicker(from: HTMLElement, message: Message, at?: Point): void {
  showPicker({ from, at, choose: (emoji) => void toggleReaction(message, emoji) })
}

export function pickEmoji(from: HTMLElement, choose: (emoji: Emoji) => void): void {
  showPicker({ from, choose })
}

export function pickEmojiText(from: HTMLElement, insert: (text: string) => void): void {
  showPicker({
    from,
    hasTones: true,
    choose(emoji, text) {
      recordEmojiUse(emoji)
      insert(text)
    },
  })
}

function showPicker(request: PickerRequest): void {
  openedPicker.value = { ...request, back: activeFieldOrOpener(request.from) }
}

export function closePicker(): void {
  const { value } = openedPicker
  openedPicker.value = undefined
  value?.back.focus()
}
