import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { UserRow } from '../../users/queries/index.ts'

/** Records that a user proved ownership of the current address, by an emailed link or an identity provider. */
export async function noteConfirmedAddress(
  tx: Tx,
  { id, deliveryEmail }: Pick<UserRow, 'id' | 'deliveryEmail'>,
): Promise<void> {
  const email_key = caseKey(deliveryEmail)
  await tx.db
    .insertInto('confirmed_addresses')
    .values({ organization_id: tx.organizationId, user_id: id, email_key })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ email_key }))
    .execute()
}
