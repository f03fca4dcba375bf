import { call } from '@parley/client'
import { flags } from '@parley/server/contract'
import { conversationOfMessage, narrowOf, type Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { messages } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { predictAndSend } from '../../platform/predicted.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { placeName } from '../places/title.tsx'
import { ownId } from '../users/state.ts'
import {
  changeReadFlagInRange,
  changeReadFlag,
  UNREAD_TERM,
  type FlagOperation,
  type MessageRange,
} from './requests.ts'

const OPPOSITE_OPERATION = { add: 'remove', remove: 'add' } as const

/** @param place what the toast names, unless the range has no place */
async function markRange(range: MessageRange, op: FlagOperation, place?: Place): Promise<void> {
  const changed = await changeReadFlagInRange(range, op)
  if (changed === undefined) return
  const { ids, hasUnjoined } = changed
  const marked = op === 'add' ? t().inbox.markedRead(ids.length) : t().inbox.markedUnread(ids.length)
  const said = place === undefined ? marked : `${marked}: ${placeName(place)}`
  if (ids.length > 0) offerUndo(said, async () => changeReadFlag(ids, OPPOSITE_OPERATION[op]))
  else toast(op === 'remove' && hasUnjoined ? t().inbox.notJoined : t().inbox.markedNothing)
}

export async function markPlaceRead(place: Place): Promise<void> {
  await markRange({ narrow: [...narrowOf(place), UNREAD_TERM], anchor: 'newest', toward: 'older' }, 'add', place)
}

export async function markAllRead(): Promise<void> {
  await markRange({ narrow: [UNREAD_TERM], anchor: 'newest', toward: 'older' }, 'add')
}

export async function markReadUpTo(message: Message): Promise<void> {
  const place = conversationOfMessage(message, ownId())
  const narrow = [...narrowOf(place), UNREAD_TERM]
  await markRange({ narrow, anchor: String(message.id), toward: 'older' }, 'add', place)
  messages.divideAfter(place, message.id)
}

export async function markUnreadFrom(message: Message): Promise<void> {
  const place = conversationOfMessage(message, ownId())
  const fromOthers = { operator: 'sender', operand: ownId(), negated: true }
  // People who choose a message of their own want it unread.
  const narrow = message.sender_id === ownId() ? narrowOf(place) : [...narrowOf(place), fromOthers]
  await markRange({ narrow, anchor: String(message.id), toward: 'newer' }, 'remove', place)
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
