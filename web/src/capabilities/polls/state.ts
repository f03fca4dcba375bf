import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'

export const openedPollForm = signal<((text: string) => void) | undefined>(undefined)

export function openNewPoll(take: (text: string) => void): void {
  openedPollForm.value = take
}

/** Option whose voters a dialog lists. */
export const openedVoters = signal<{ readonly message: Message; readonly optionKey: string } | undefined>(undefined)
