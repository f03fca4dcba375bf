import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { flagsAdded } from '../flags/contract.ts'
import type * as contract from './contract.ts'
import { blockedUsersChanged, MUTED_USER_LIMIT, mutedUsersChanged } from './contract.ts'
import { blockedAmong, mutedUsersProjection, storedMutesOf, toMutedUsers, type StoredMute } from './queries.ts'
import { canBeBlocked } from './rules.ts'
import { markRead } from '../flags/actions/unread.ts'
import { conversationOf } from '../messages/queries/stored.ts'
import { unreadByTopic } from '../flags/queries/unread.ts'
import { requireVisibleUser } from '../users/rules/visibility.ts'

const CLIENTS_WITH_BLOCKS = { clients: { capability: 'blocked_users', has: true } } as const

export async function muteUser(
  tx: ActorTx,
  { muted_user_id }: Input<typeof contract.muteUser>,
): Promise<Record<string, never>> {
  if (muted_user_id === tx.actor.userId) throw new ApiError('BAD_REQUEST', 'Cannot mute self')
  const { id } = requireVisibleUser(tx.organization, tx.actor, muted_user_id)
  const stored = storedMutesOf(tx.organization, tx.actor.userId)
  if (stored.some((muted) => muted.id === id)) throw new ApiError('BAD_REQUEST', 'User already muted')
  await addMute(tx, { id, timestamp: tx.now })
  // Earlier messages from the muted user count as read, like later messages.
  await markMessagesFromAsRead(tx, id)
  return {}
}

export async function blockUser(
  tx: ActorTx,
  { blocked_user_id }: Input<typeof contract.blockUser>,
): Promise<Record<string, never>> {
  if (blocked_user_id === tx.actor.userId) throw new ApiError('BAD_REQUEST', 'Cannot block self')
  const user = requireVisibleUser(tx.organization, tx.actor, blocked_user_id)
  if (user.isSystemBot) throw new ApiError('BAD_REQUEST', 'The notification bot cannot be blocked.')
  if (!canBeBlocked(user)) throw new ApiError('BAD_REQUEST', 'Moderators cannot be blocked.')
  const known = storedMutesOf(tx.organization, tx.actor.userId).find(({ id }) => id === user.id)
  if (known?.blockedSince !== undefined) throw new ApiError('BAD_REQUEST', 'User already blocked')
  // Earlier messages stay unread, because read receipts would show otherwise when the block began.
  const blocked = { id: user.id, timestamp: known?.timestamp ?? tx.now, blockedSince: tx.nextId() }
  await (known === undefined ? addMute(tx, blocked) : changeMute(tx, blocked))
  return {}
}

async function addMute(tx: ActorTx, muted: StoredMute): Promise<void> {
  const stored = storedMutesOf(tx.organization, tx.actor.userId)
  if (stored.length >= MUTED_USER_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can mute at most ${MUTED_USER_LIMIT.most} users.`)
  }
  await tx.db
    .insertInto('muted_users')
    .values({
      organization_id: tx.organizationId,
      user_id: tx.actor.userId,
      muted_user_id: muted.id,
      date_muted: muted.timestamp,
      id: muted.blockedSince ?? tx.nextId(),
      blocked_since: muted.blockedSince ?? null,
    })
    .execute()
  emitMutedUsers(tx, stored, [...stored, muted])
}

async function changeMute(tx: ActorTx, changed: StoredMute): Promise<void> {
  const stored = storedMutesOf(tx.organization, tx.actor.userId)
  await tx.db
    .updateTable('muted_users')
    .set({ blocked_since: changed.blockedSince ?? null })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('muted_user_id', '=', changed.id)
    .execute()
  emitMutedUsers(
    tx,
    stored,
    stored.map((muted) => (muted.id === changed.id ? changed : muted)),
  )
}

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
  if (!storedMutesOf(tx.organization, tx.actor.userId).some(({ id }) => id === muted_user_id)) {
    requireVisibleUser(tx.organization, tx.actor, muted_user_id)
    throw new ApiError('BAD_REQUEST', 'User is not muted')
  }
  await removeMute(tx, muted_user_id)
  return {}
}

export async function unblockUser(
  tx: ActorTx,
  { blocked_user_id, keep_muted }: Input<typeof contract.unblockUser>,
): Promise<Record<string, never>> {
  const known = storedMutesOf(tx.organization, tx.actor.userId).find(({ id }) => id === blocked_user_id)
  if (known?.blockedSince === undefined) {
    requireVisibleUser(tx.organization, tx.actor, blocked_user_id)
    throw new ApiError('BAD_REQUEST', 'User is not blocked')
  }
  const { id, timestamp } = known
  await (keep_muted ? changeMute(tx, { id, timestamp }) : removeMute(tx, id))
  return {}
}

async function removeMute(tx: ActorTx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('muted_users')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('muted_user_id', '=', userId)
    .execute()
  const stored = storedMutesOf(tx.organization, tx.actor.userId)
  emitMutedUsers(
    tx,
    stored,
    stored.filter(({ id }) => id !== userId),
  )
}

/** Emits only what differs, because older clients show neither a block nor its end. */
function emitMutedUsers(tx: ActorTx, before: readonly StoredMute[], after: readonly StoredMute[]): void {
  const own = { users: [tx.actor.userId] }
  tx.change(mutedUsersProjection, { userId: tx.actor.userId, muted: after })
  const blocked = blockedAmong(after)
  if (!isDeepStrictEqual(blocked, blockedAmong(before))) {
    tx.emit(blockedUsersChanged, { blocked_users: blocked }, { ...own, ...CLIENTS_WITH_BLOCKS })
  }
  if (before.length !== after.length) tx.emit(mutedUsersChanged, { muted_users: toMutedUsers(after) }, own)
}
