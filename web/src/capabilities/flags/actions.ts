import { call } from '@parley/client'
import { flags } from '@parley/server/contract'
import { conversationOfMessage, narrowOf, type Message, type Term } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { messages } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { predictAndSend } from '../../platform/predicted.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'

const MAX_MESSAGES_PER_REQUEST = 5_000
/** Enough requests to mark every message after years of absence. */
const MAX_REQUESTS = 50

type FlagOperation = 'add' | 'remove'
const OPPOSITE_OPERATION = { add: 'remove', remove: 'add' } as const

/** Ignores failures: messages that are seen again are marked again. @returns whether the server accepted the request */
export async function markRead(ids: readonly number[]): Promise<boolean> {
  try {
    await changeReadFlag(ids, 'add')
    return true
  } catch {
    return false
  }
}

export async function changeReadFlag(ids: readonly number[], op: FlagOperation): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_MESSAGES_PER_REQUEST) {
    await call(SESSION, flags.updateMessageFlags, {
      messages: ids.slice(from, from + MAX_MESSAGES_PER_REQUEST),
      op,
      flag: 'read',
    })
  }
}

interface MessageRange {
  readonly narrow: readonly Term[]
  readonly anchor: string
  readonly toward: 'older' | 'newer'
}

interface ReadChange {
  readonly ids: readonly number[]
  /** Whether the range included messages of unsubscribed channels, which cannot be unread. */
  readonly hasUnjoined: boolean
}

/** Marks all messages in a range, including its anchor, as read or unread. @returns undefined on failure */
async function changeRange(
  { narrow, anchor, toward }: MessageRange,
  op: FlagOperation,
): Promise<ReadChange | undefined> {
  const ids: number[] = []
  let hasUnjoined = false
  let at = anchor
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const answer = await ask(flags.updateMessageFlagsForNarrow, {
      anchor: at,
      include_anchor: request === 0,
      num_before: toward === 'older' ? MAX_MESSAGES_PER_REQUEST : 0,
      num_after: toward === 'newer' ? MAX_MESSAGES_PER_REQUEST : 0,
      narrow: [...narrow],
      op,
      flag: 'read',
      list_updated: true,
    })
    if (answer === undefined && request === 0) return undefined
    if (answer === undefined) break
    ids.push(...(answer.updated_messages ?? []))
    hasUnjoined ||= answer.ignored_because_not_subscribed_channels.length > 0
    const next = toward === 'older' ? answer.first_processed_id : answer.last_processed_id
    if (next === null || (toward === 'older' ? answer.found_oldest : answer.found_newest)) break
    at = String(next)
  }
  return { ids, hasUnjoined }
}

async function markRange(stretch: MessageRange, op: FlagOperation): Promise<void> {
  const changed = await changeRange(stretch, op)
  if (changed === undefined) return
  const { ids, hasUnjoined } = changed
  const said = op === 'add' ? t().inbox.markedRead(ids.length) : t().inbox.markedUnread(ids.length)
  if (ids.length > 0) offerUndo(said, async () => changeReadFlag(ids, OPPOSITE_OPERATION[op]))
  else toast(op === 'remove' && hasUnjoined ? t().inbox.notJoined : t().inbox.markedNothing)
}

const UNREAD_TERM: Term = { operator: 'is', operand: 'unread' }

export async function markPlaceRead(place: Place): Promise<void> {
  await markRange({ narrow: [...narrowOf(place), UNREAD_TERM], anchor: 'newest', toward: 'older' }, 'add')
}

export async function markReadFrom(userId: number): Promise<readonly number[]> {
  const narrow = [{ operator: 'sender', operand: userId }, UNREAD_TERM]
  return (await changeRange({ narrow, anchor: 'newest', toward: 'older' }, 'add'))?.ids ?? []
}

export async function markAllRead(): Promise<void> {
  await markRange({ narrow: [UNREAD_TERM], anchor: 'newest', toward: 'older' }, 'add')
}

export async function markReadUpTo(message: Message): Promise<void> {
  const place = conversationOfMessage(message, ownId())
  const narrow = [...narrowOf(place), UNREAD_TERM]
  await markRange({ narrow, anchor: String(message.id), toward: 'older' }, 'add')
  messages.divideAfter(place, message.id)
}

export async function markUnreadFrom(message: Message): Promise<void> {
  const place = conversationOfMessage(message, ownId())
  await markRange({ narrow: narrowOf(place), anchor: String(message.id), toward: 'newer' }, 'remove')
}

export function isStarred({ flags: own }: Message): boolean {
  return own.includes('starred')
}

export async function toggleStar({ id }: Message): Promise<void> {
  const known = messages.get(id)?.peek()
  if (known === undefined) return
  const op = isStarred(known) ? 'remove' : 'add'
  const star = (to: FlagOperation) => async () =>
    call(SESSION, flags.updateMessageFlags, { messages: [id], op: to, flag: 'starred' })
  const event = (to: FlagOperation) => ({
    type: 'update_message_flags',
    op: to,
    flag: 'starred',
    messages: [id],
    all: false,
  })
  if (!(await predictAndSend(event(op), event(OPPOSITE_OPERATION[op]), star(op)))) return
  offerUndo(op === 'add' ? t().messages.wasStarred : t().messages.wasUnstarred, star(OPPOSITE_OPERATION[op]), {
    isQuiet: true,
  })
}
