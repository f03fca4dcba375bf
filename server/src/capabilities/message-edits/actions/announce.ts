import type { Audience } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { messagesDeleted, messageUpdated, type MessageDeletion, type MessageUpdate } from '../contract/index.ts'
import { flagsFor } from '../queries.ts'

/** Where somebody must have been to hear of a message: given where that names more people than it is worth listing. */
export type Everybody = Pick<Audience, 'channel' | 'alsoAt'>

/**
 * Announces an update to users who see the same of it, each with their own flags of its message.
 * @param everybody an audience that holds all of the users but the last named, so that only exceptions are listed
 */
export async function announceUpdate(
  tx: Tx,
  update: Omit<MessageUpdate, 'flags' | 'message_id'>,
  messageId: number,
  userIds: readonly number[],
  everybody?: { readonly audience: Everybody; readonly userIds: ReadonlySet<number> },
): Promise<void> {
  const flagsByUser = await flagsFor(tx, messageId, userIds)
  const groups = new Map<string, { flags: string[]; users: number[] }>()
  for (const [userId, flags] of flagsByUser) {
    const key = flags.join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { flags, users: [userId] })
    else group.users.push(userId)
  }
  const largest = [...groups.values()].toSorted((a, b) => b.users.length - a.users.length)
  for (const [index, { flags, users }] of largest.entries()) {
    const audience =
      index === 0 && everybody !== undefined
        ? {
            ...everybody.audience,
            users: users.filter((userId) => !everybody.userIds.has(userId)),
            except: largest.slice(1).flatMap((other) => other.users),
          }
        : { users }
    tx.emit(messageUpdated, { ...update, message_id: messageId, flags }, audience)
  }
}

/** Announces messages that are gone for an audience. For older clients it is one event for each. */
export function announceDeletion(
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
