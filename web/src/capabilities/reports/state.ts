import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { ownId } from '../users/state.ts'

/** The message for which a report is written. */
export const reported = signal<Message | undefined>(undefined)

export function openReport(message: Message): void {
  reported.value = message
}

export function closeReport(): void {
  reported.value = undefined
}

/** Whether a message is of another person. Whether moderators read reports only they know: the server says it then. */
export function mayReport({ sender_id: sender }: Message): boolean {
  return sender !== ownId()
}
