import { caseKey } from '../../../kernel/case-key.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenidIdentity } from '../../../platform/openid/openid.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { noteConfirmedAddress } from '../../account-links/actions/confirmed.ts'
import { revokeAccess } from '../../account-links/actions/revoke-access.ts'
import { hasConfirmedAddress } from '../../account-links/queries.ts'
import { removePassword } from '../../authentication/actions/index.ts'
import { joinByProvenAddress } from '../../invitations/actions/joining.ts'
import { checkedForm } from '../../users/actions/addresses.ts'
import { hasSecondFactor } from '../../second-factors/queries.ts'
import { userByEmail, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { accountOfIdentity } from '../queries.ts'
import { addIdentity, requireNoIdentity } from './identities.ts'

interface SignUpOptions {
  readonly invitationDigest: Buffer | null
  readonly language: string | undefined
}

/** Finds or creates the account: by identity, otherwise by address. The caller checks whether it is active. */
export async function accountFor(
  tx: Tx,
  identity: OpenidIdentity,
  { invitationDigest, language }: SignUpOptions,
  server: Pick<ServerFacts, 'mailer'>,
): Promise<UserRow> {
  const known = await accountOfIdentity(tx.db, tx.organizationId, identity)
  if (known !== undefined) return knownUser(tx.organization, known)
  if (identity.verifiedEmail === undefined) {
    throw new Refusal('AUTHENTICATION_FAILED', 'Your identity provider does not confirm your email address.')
  }
  const email = checkedForm(identity.verifiedEmail)
  const owner = userByEmail(tx.organization, email)
  // Compares the real address, because no one can own a placeholder address of the API. Bots cannot sign in.
  if (owner !== undefined && (owner.botType !== null || caseKey(owner.deliveryEmail) !== caseKey(email))) {
    throw new Refusal('AUTHENTICATION_FAILED', 'An account cannot be created with this email address.')
  }
  const person = { email, names: identity.names, language }
  if (owner === undefined) {
    const user = await joinByProvenAddress(tx, person, invitationDigest, server)
    await addIdentity(tx, user.id, identity)
    return user
  }
  // Linking an account with a second factor would require a code, so such accounts are found by address each time.
  if (!(await hasSecondFactor(tx.db, tx.organizationId, owner.id))) await tieTo(tx, owner, identity)
  return owner
}

/**
 * Links an identity by address. Another person may have created an account with an unconfirmed address to keep access
 * to it, so all its other ways to sign in are removed.
 */
async function tieTo(tx: Tx, owner: UserRow, identity: OpenidIdentity): Promise<void> {
  await requireNoIdentity(tx, owner.id, identity)
  if (!(await hasConfirmedAddress(tx.db, tx.organizationId, owner))) {
    await removePassword(tx, owner)
    await revokeAccess(tx, owner)
    await noteConfirmedAddress(tx, owner)
  }
  await addIdentity(tx, owner.id, identity)
}
