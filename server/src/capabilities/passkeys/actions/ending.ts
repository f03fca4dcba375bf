import type { Tx } from '../../../kernel/transaction.ts'
import { emitCredentials } from '../../authentication/actions/emit.ts'

export async function endPasskeysOf(tx: Tx, userId: number): Promise<number> {
  const gone = await tx.db
    .deleteFrom('passkeys')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .returning('name')
    .execute()
  for (const { name } of gone) emitCredentials(tx, userId, 'passkey', name, null)
  return gone.length
}
