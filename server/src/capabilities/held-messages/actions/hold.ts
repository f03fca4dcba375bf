import { ROLE } from '../../../kernel/actor.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { SendKey } from '../../messages/actions/send/outgoing.ts'
import {
  HELD_MESSAGE_LIMIT,
  heldMessageAdded,
  heldMessageQueued,
  heldMessageRemoved,
  heldMessageUnqueued,
  type HeldMessage,
} from '../contract.ts'

export interface NewHeldMessage extends Omit<HeldMessage, 'held_message_id' | 'held_at'> {
  readonly sender_id: number
  readonly client: string
  readonly widget: string | null
  readonly key: SendKey | null
  /** Whether it was sent with a token that is limited to channels, and thus cannot link files. */
  readonly is_scoped: boolean
}

const OWN_CLIENTS = { capability: 'held_messages', has: true } as const

/** Returns the held message of a repeated request. @throws ApiError BAD_REQUEST if the key is of another request */
export async function heldMessageWithKey(tx: Tx, authorId: number, key: SendKey): Promise<number | undefined> {
  const [held] = await tx.db.rows<{ id: number; digest: string | null }>(
    'held_message_with_key',
    `select id, request_digest as digest from held_messages
     where organization_id = $1 and author_id = $2 and send_key = $3`,
    [tx.organizationId, authorId, key.name],
  )
  if (held !== undefined && held.digest !== key.requestDigest) throw keyOfOtherMessageError()
  return held?.id
}

/** Stores a message for review instead of sending it. The caller takes the author's turn in slow mode. */
export async function holdMessage(tx: Tx, held: NewHeldMessage): Promise<number> {
  const [kept] = await tx.db.rows<{ count: number }>(
    'held_message_count',
    'select count(*)::int as count from held_messages where organization_id = $1 and author_id = $2',
    [tx.organizationId, held.author_id],
  )
  if (kept !== undefined && kept.count >= HELD_MESSAGE_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `At most ${HELD_MESSAGE_LIMIT.most} of your messages can wait for review.`)
  }
  const id = tx.nextId()
  const { author_id, sender_id, stream_id, topic, content, widget, client, key, is_scoped } = held
  await tx.db
    .insertInto('held_messages')
    .values({
      organization_id: tx.organizationId,
      id,
      author_id,
      sender_id,
      channel_id: stream_id,
      topic,
      content,
      widget,
      client,
      send_key: key?.name ?? null,
      request_digest: key?.requestDigest ?? null,
      held_at: tx.now,
      is_scoped,
    })
    .execute()
  const message: HeldMessage = { held_message_id: id, author_id, stream_id, topic, content, held_at: tx.now }
  tx.emit(heldMessageAdded, { held_message: message }, { users: [author_id], clients: OWN_CLIENTS })
  tx.emit(heldMessageQueued, { held_message: message }, { roleAtMost: ROLE.moderator, clients: OWN_CLIENTS })
  return id
}

export async function deleteHeldMessage(
  tx: Tx,
  { held_message_id: id, author_id, stream_id }: HeldMessage,
): Promise<void> {
  await tx.db
    .deleteFrom('held_messages')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
  tx.emit(heldMessageRemoved, { held_message_id: id }, { users: [author_id], clients: OWN_CLIENTS })
  tx.emit(heldMessageUnqueued, { held_message_id: id, stream_id }, { roleAtMost: ROLE.moderator, clients: OWN_CLIENTS })
}

export function keyOfOtherMessageError(): ApiError {
  return new ApiError('BAD_REQUEST', "This 'idempotency_key' was already used for another message.")
}

export function messageHeldError(heldMessageId: number): ApiError {
  return new ApiError('MESSAGE_HELD', 'Your message is waiting for review by a moderator.', {
    held_message_id: heldMessageId,
  })
}

export function reviewedTextError(): ApiError {
  return new ApiError('BAD_REQUEST', 'This change contains words that moderators review. Send a new message instead.')
}
