import type { Tx } from '../../../kernel/transaction.ts'
import { dropQueuesOfLogins } from '../../../platform/queues/store.ts'
import { emitCredentials } from '../../authentication/actions/emit.ts'
import { apiTokensProjection } from '../queries.ts'

/** @returns the number of revoked tokens */
export async function endApiTokensOf(tx: Tx, userId: number): Promise<number> {
  const gone = await tx.db
    .deleteFrom('api_tokens')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .returning(['id', 'name'])
    .execute()
  await endTokens(tx, userId, gone)
  return gone.length
}

/** Ends the event queues and parked polls of deleted tokens. */
export async function endTokens(
  tx: Tx,
  userId: number,
  gone: readonly { readonly id: number; readonly name: string }[],
): Promise<void> {
  if (gone.length === 0) return
  const ended = gone.map(({ id }) => id)
  for (const { name } of gone) emitCredentials(tx, userId, 'api_token', name, null)
  await dropQueuesOfLogins(tx, userId, ended)
  tx.change(apiTokensProjection, { userId, ended })
}
