import type { Input } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { knownUser } from '../users/rules.ts'
import type * as contract from './contract.ts'
import { MAX_MUTED_USERS, mutedUsersChanged, type MutedUser } from './contract.ts'
import { mutedUsersFold, mutedUsersOf } from './queries.ts'

export async function muteUser(
  tx: ActorTx,
  { muted_user_id }: Input<typeof contract.muteUser>,
): Promise<Record<string, never>> {
  if (muted_user_id === tx.actor.userId) throw new Refusal('BAD_REQUEST', 'Cannot mute self')
  const { id } = knownUser(tx.world, muted_user_id)
  const kept = mutedUsersOf(tx.world, tx.actor.userId)
  if (kept.some((muted) => muted.id === id)) throw new Refusal('BAD_REQUEST', 'User already muted')
  if (kept.length >= MAX_MUTED_USERS) {
    throw new Refusal('BAD_REQUEST', `No more than ${MAX_MUTED_USERS} users can be muted.`)
  }
  await tx.db
    .insertInto('muted_users')
    .values({
      organization_id: tx.organizationId,
      user_id: tx.actor.userId,
      muted_user_id: id,
      date_muted: tx.now,
      id: tx.take(),
    })
    .execute()
  announce(tx, [...kept, { id, timestamp: tx.now }])
  return {}
}

export async function unmuteUser(
  tx: ActorTx,
  { muted_user_id }: Input<typeof contract.unmuteUser>,
): Promise<Record<string, never>> {
  const { id } = knownUser(tx.world, muted_user_id)
  const kept = mutedUsersOf(tx.world, tx.actor.userId)
  const left = kept.filter((muted) => muted.id !== id)
  if (left.length === kept.length) throw new Refusal('BAD_REQUEST', 'User is not muted')
  await tx.db
    .deleteFrom('muted_users')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('muted_user_id', '=', id)
    .execute()
  announce(tx, left)
  return {}
}

/** Muting is private: only the user's own clients hear of it. */
function announce(tx: ActorTx, muted: MutedUser[]): void {
  tx.change(mutedUsersFold, { userId: tx.actor.userId, muted })
  tx.emit(mutedUsersChanged, { muted_users: muted }, { users: [tx.actor.userId] })
}
