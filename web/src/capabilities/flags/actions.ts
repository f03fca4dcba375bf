import { call } from '@parley/client'
import { flags } from '@parley/server/contract'
import { narrowOf, type Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { messages } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Says that messages were read; what does not arrive is said again when they are seen again. */
export async function markRead(ids: readonly number[]): Promise<boolean> {
  try {
    await call(SESSION, flags.updateMessageFlags, { messages: [...ids], op: 'add', flag: 'read' })
    return true
  } catch {
    return false
  }
}

/** As many as one request looks at. */
const MOST_AT_ONCE = 5_000
/** As many requests as mark everything in a place that a person has not read for years. */
const MOST_REQUESTS = 50

/** Marks everything in a conversation as read, or a channel, which can be undone. */
export async function markPlaceRead(place: Place): Promise<void> {
  const marked: (readonly number[])[] = []
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const answer = await ask(flags.updateMessageFlagsForNarrow, {
      anchor: 'newest',
      num_before: MOST_AT_ONCE,
      num_after: 0,
      narrow: [...narrowOf(place, () => []), { operator: 'is', operand: 'unread' }],
      op: 'add',
      flag: 'read',
      list_updated: true,
    })
    if (answer === undefined && request === 0) return
    if (answer?.updated_messages !== undefined) marked.push(answer.updated_messages)
    if (answer?.found_oldest !== false) break
  }
  toast(t().inbox.markedRead(marked.flat().length), () => {
    for (const some of marked) {
      if (some.length > 0) void ask(flags.updateMessageFlags, { messages: [...some], op: 'remove', flag: 'read' })
    }
  })
}

/** Marks a message and those after it in its list as unread. */
export async function markUnreadFrom(message: Message, place: Place): Promise<void> {
  await ask(flags.updateMessageFlagsForNarrow, {
    anchor: String(message.id),
    num_before: 0,
    num_after: 5_000,
    narrow: narrowOf(place, () => []),
    op: 'remove',
    flag: 'read',
  })
}

export function isStarred({ flags: own }: Message): boolean {
  return own.includes('starred')
}

/** Stars a message, or takes its star away. */
export async function toggleStar(message: Message): Promise<void> {
  const op = isStarred(messages.get(message.id)?.value ?? message) ? 'remove' : 'add'
  await ask(flags.updateMessageFlags, { messages: [message.id], op, flag: 'starred' })
}
