import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'

export const openedPollForm = signal<((text: string) => void) | undefined>(undefined)

export function openNewPoll(take: (text: string) => void): void {
  openedPollForm.value = take
}

export const openedVoters = signal<{ readonly message: Message; readonly optionKey: string } | undefined>(undefined)
