import type { Tx } from '../../../kernel/transaction.ts'
import { userStatusChanged } from '../contract/status.ts'
import { isAway, type UserRow } from '../queries/index.ts'
import { statusesProjection, storedStatus, type StoredStatus } from '../queries/status.ts'
import { audienceSeeing } from '../rules/visibility.ts'

export async function changeStatus(tx: Tx, user: UserRow, part: Partial<StoredStatus>): Promise<void> {
  const before = storedStatus(tx.organization, user.id)
  const after = { ...before, ...part }
  const isOtherText = after.status_text !== before.status_text
  const isOtherEmoji = (['emoji_name', 'emoji_code', 'reaction_type'] as const).some(
    (name) => after[name] !== before[name],
  )
  if (!isOtherText && !isOtherEmoji) return
  await tx.db
    .insertInto('user_statuses')
    .values({ organization_id: tx.organizationId, user_id: user.id, ...after })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(after))
    .execute()
  tx.change(statusesProjection, { userId: user.id, ...after })
  const { status_text, ...emoji } = after
  const changed = { ...(isOtherText ? { status_text } : {}), ...(isOtherEmoji ? emoji : {}) }
  tx.emit(userStatusChanged, { user_id: user.id, ...changed }, audienceSeeing(tx.organization, user))
}

export function emitAwayChange(tx: Tx, user: UserRow): void {
  tx.emit(userStatusChanged, { user_id: user.id, away: isAway(user) }, audienceSeeing(tx.organization, user))
}
