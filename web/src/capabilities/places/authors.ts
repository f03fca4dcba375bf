import type { Message } from '../../kernel/message.ts'

/** Who wrote these messages, the last one first. */
export function authorsOf(messages: readonly Message[]): readonly number[] {
  return [...new Set(messages.toReversed().map(({ sender_id }) => sender_id))]
}
