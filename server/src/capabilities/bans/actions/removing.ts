import { ROLE } from '../../../kernel/actor.ts'
import type { Audience } from '../../../kernel/audience.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import type { AuditChange } from '../../audit-log/contract.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { banRemoved } from '../contract.ts'
import { banOf } from '../queries.ts'

export const MODERATORS_WITH_BANS: Audience = {
  roleAtMost: ROLE.moderator,
  clients: { capability: 'bans', has: true },
}

/** Whether a ban ended. The caller reactivates the account, or leaves it deactivated for another reason. */
export async function removeBan(tx: Tx & Partial<Pick<ActorTx, 'actor'>>, target: UserRow): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('bans')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', target.id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  tx.emit(banRemoved, { user_id: target.id }, MODERATORS_WITH_BANS)
  await addBanAuditEntry(tx, target, 'unbanned', [])
  return true
}

/** Peers of a banned user must not end the ban, nor change the role that decides who can. @throws ApiError BAD_REQUEST */
export async function requireMayChangeIfBanned(tx: ActorTx, target: UserRow): Promise<void> {
  if (target.role > tx.actor.role || (await banOf(tx.db, tx.organizationId, target.id)) === undefined) return
  throw new ApiError('BAD_REQUEST', 'This person is banned. Only people with a higher role can change the account.')
}

export async function addBanAuditEntry(
  tx: Tx & Partial<Pick<ActorTx, 'actor'>>,
  { id, fullName: name }: UserRow,
  action: string,
  changes: AuditChange[],
): Promise<void> {
  await addAuditEntry(tx, { kind: 'people', action, target: { type: 'user', id, name }, changes })
}
