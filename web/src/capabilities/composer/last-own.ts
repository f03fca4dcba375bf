import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { messages } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

export function lastOwnMessage(place: Place): Message | undefined {
  return messages
    .shownIn(place)
    .toReversed()
    .find((message) => message.sender_id === ownId())
}
