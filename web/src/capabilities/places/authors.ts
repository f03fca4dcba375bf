import type { Message } from '../../kernel/message.ts'

export function authorsOf(messages: readonly Message[]): readonly number[] {
  return [...new Set(messages.toReversed().map(({ sender_id }) => sender_id))]
}
