import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenidIdentity } from '../../../platform/openid/openid.ts'

export async function addIdentity(tx: Tx, userId: number, { issuer, subject }: OpenidIdentity): Promise<void> {
  await tx.db
    .insertInto('openid_identities')
    .values({ organization_id: tx.organizationId, issuer, subject, user_id: userId })
    .execute()
}

/** Refuses accounts that are already linked: a provider can give a former member's email address to another person. */
export async function requireNoIdentity(
  tx: Tx,
  userId: number,
  { issuer }: Pick<OpenidIdentity, 'issuer'>,
): Promise<void> {
  const known = await tx.db
    .selectFrom('openid_identities')
    .select('subject')
    .where('organization_id', '=', tx.organizationId)
    .where('issuer', '=', issuer)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (known === undefined) return
  throw new ApiError(
    'AUTHENTICATION_FAILED',
    'This account is linked to another person at your identity provider. Reset your password by email, and sign in again.',
  )
}

/** Unlinks a user's identities, so that the next sign-in finds the account by email. Returns how many were unlinked. */
export async function unlinkIdentities(tx: Tx, userId: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('openid_identities')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
