import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { flagsAdded } from '../flags/contract.ts'
import type * as contract from './contract.ts'
import { MUTED_USER_LIMIT, mutedUsersChanged, type MutedUser } from './contract.ts'
import { mutedUsersProjection, mutedUsersOf } from './queries.ts'
import { markRead } from '../flags/actions/unread.ts'
import { conversationOf } from '../messages/queries/stored.ts'
import { unreadByTopic } from '../flags/queries/unread.ts'
import { requireVisibleUser } from '../users/rules/visibility.ts'

export async function muteUser(
  tx: ActorTx,
  { muted_user_id }: Input<typeof contract.muteUser>,
): Promise<Record<string, never>> {
  if (muted_user_id === tx.actor.userId) throw new ApiError('BAD_REQUEST', 'Cannot mute self')
  const { id } = requireVisibleUser(tx.organization, tx.actor, muted_user_id)
  const stored = mutedUsersOf(tx.organization, tx.actor.userId)
  if (stored.some((muted) => muted.id === id)) throw new ApiError('BAD_REQUEST', 'User already muted')
  if (stored.length >= MUTED_USER_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can mute at most ${MUTED_USER_LIMIT.most} users.`)
  }
  await tx.db
    .insertInto('muted_users')
    .values({
      organization_id: tx.organizationId,
      user_id: tx.actor.userId,
      muted_user_id: id,
      date_muted: tx.now,
      id: tx.nextId(),
    })
    .execute()
  emitMutedUsers(tx, [...stored, { id, timestamp: tx.now }])
  await markMessagesFromAsRead(tx, id)
  return {}
}

/** Marks the muted user's earlier messages as read, like later messages. */
async function markMessagesFromAsRead(tx: ActorTx, senderId: number): Promise<void> {
  const unread = await unreadByTopic(tx.db, tx.organizationId, tx.actor.userId)
  const ids = unread.flatMap((topic) => topic.ids)
  if (ids.length === 0) return
  const theirs = await tx.db.rows<{ id: number }>(
    'read_all_of',
    `select id from messages where organization_id = $1 and id = any($2::bigint[]) and sender_id = $3 order by id`,
    [tx.organizationId, ids, senderId],
  )
  const messages = theirs.map(({ id }) => id)
  if (messages.length === 0) return
  await markRead(tx, messages)
  const muted = new Set(messages)
  const conversations = unread
    .map(({ channel_id: channelId, name: topic, member_ids: memberIds, ids: all }) => ({
      ...conversationOf({ channelId, topic, memberIds }),
      message_ids: all.filter((id) => muted.has(id)),
    }))
    .filter(({ message_ids }) => message_ids.length > 0)
  const read = { operation: 'add', flag: 'read', messages, all: false, conversations } as const
  tx.emit(flagsAdded, read, { users: [tx.actor.userId] })
}

export async function unmuteUser(
  tx: ActorTx,
  { muted_user_id }: Input<typeof contract.unmuteUser>,
): Promise<Record<string, never>> {
  const stored = mutedUsersOf(tx.organization, tx.actor.userId)
  const left = stored.filter((muted) => muted.id !== muted_user_id)
  if (left.length === stored.length) {
    requireVisibleUser(tx.organization, tx.actor, muted_user_id)
    throw new ApiError('BAD_REQUEST', 'User is not muted')
  }
  await tx.db
    .deleteFrom('muted_users')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('muted_user_id', '=', muted_user_id)
    .execute()
  emitMutedUsers(tx, left)
  return {}
}

function emitMutedUsers(tx: ActorTx, muted: MutedUser[]): void {
  tx.change(mutedUsersProjection, { userId: tx.actor.userId, muted })
  tx.emit(mutedUsersChanged, { muted_users: muted }, { users: [tx.actor.userId] })
}
