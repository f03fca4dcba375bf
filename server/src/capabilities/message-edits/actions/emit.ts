import type { Audience } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import { messagesDeleted, messageUpdated, type MessageDeletion, type MessageUpdate } from '../contract/index.ts'
import { flagsFor } from '../queries.ts'

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

/** Users with the same flags of a message. */
interface FlagGroup {
  readonly flags: string[]
  readonly users: number[]
}

/** An update as the log has it: one for all receivers, with the flags that most have, and the users who have others. */
type LoggedUpdate = MessageUpdate & {
  /** Absent in what an earlier version logged, where each user with other flags had a separate event. */
  readonly others?: readonly FlagGroup[]
}

/** The fields of an update that are the same for all receivers. */
export function sharedUpdate(payload: LoggedEvent['payload']): Omit<MessageUpdate, 'flags'> {
  // Only `emitUpdate` writes this payload.
  const { flags: _, others: __, ...update } = payload as LoggedUpdate
  return update
}

/** Each of ten thousand receivers is looked for in lists that may name as many. */
const flagsByUser = new WeakMap<object, ReadonlyMap<number, string[]>>()

/** A receiver's flags of the message. */
export function flagsIn(payload: LoggedEvent['payload'], userId: number): string[] {
  // Only `emitUpdate` writes this payload.
  const { flags, others = [] } = payload as LoggedUpdate
  const known =
    flagsByUser.get(payload) ?? new Map(others.flatMap((group) => group.users.map((id) => [id, group.flags])))
  flagsByUser.set(payload, known)
  return known.get(userId) ?? flags
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
