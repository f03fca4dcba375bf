import type { Audience } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { messagesDeleted, messageUpdated, type MessageDeletion, type MessageUpdate } from '../contract/index.ts'
import { flagsFor } from '../queries/index.ts'
import type { FlagGroup, LoggedUpdate } from '../queries/events.ts'

/**
 * The places in which an account must have been to be told of a message: an audience for more users than are worth
 * listing.
 */
export type Everybody = Pick<Audience, 'channel' | 'alsoAt'>

/**
 * Announces an update to users who see the same of it, each with their own flags of its message.
 * @param everybody an audience that holds the users named with it, so that only others are listed
 */
export async function emitUpdate(
  tx: Tx,
  update: Omit<MessageUpdate, 'flags' | 'message_id'>,
  messageId: number,
  userIds: readonly number[],
  everybody?: { readonly audience: Everybody; readonly userIds: ReadonlySet<number> },
): Promise<void> {
  const groups = new Map<string, FlagGroup>()
  for (const [userId, flags] of await flagsFor(tx, messageId, userIds)) {
    const key = flags.join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { flags, users: [userId] })
    else group.users.push(userId)
  }
  const [usual, ...others] = [...groups.values()].toSorted((a, b) => b.users.length - a.users.length)
  if (usual === undefined) return
  const logged: LoggedUpdate = { ...update, message_id: messageId, flags: usual.flags, others }
  tx.emit(messageUpdated, logged, {
    ...everybody?.audience,
    users: userIds.filter((userId) => everybody?.userIds.has(userId) !== true),
  })
}

/** Announces messages that are gone for an audience. For older clients it is one event for each. */
export function emitDeletion(
  tx: Tx,
  place: Omit<MessageDeletion, 'message_ids' | 'message_id'>,
  messageIds: readonly number[],
  audience: Audience,
): void {
  for (const [index, messageId] of messageIds.entries()) {
    const together = index === 0 ? { message_ids: [...messageIds] } : {}
    tx.emit(messagesDeleted, { ...place, ...together, message_id: messageId }, audience)
  }
}
