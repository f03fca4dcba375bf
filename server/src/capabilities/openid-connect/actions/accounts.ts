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

/** What a person comes with besides their identity. */
interface Bringing {
  /** Of the token of an invitation. */
  readonly invitationDigest: Buffer | null
  /** The organization's, where it is not known. */
  readonly language: string | undefined
}

/**
 * The account of a person for whom the provider vouches: the one with which they came before, else the one that has their
 * address, else a new one. Whether the account is active is the caller's business.
 */
export async function accountFor(
  tx: Tx,
  identity: OpenidIdentity,
  { invitationDigest, language }: Bringing,
  server: Pick<ServerFacts, 'mailer'>,
): Promise<UserRow> {
  const known = await accountOfIdentity(tx.db, tx.organizationId, identity)
  if (known !== undefined) return knownUser(tx.organization, known)
  if (identity.verifiedEmail === undefined) {
    throw new Refusal('AUTHENTICATION_FAILED', 'Your provider does not say that your e-mail address is yours.')
  }
  const email = checkedForm(identity.verifiedEmail)
  const owner = userByEmail(tx.organization, email)
  // By its real address: nobody can have the one that only the API knows. Bots sign in nowhere.
  if (owner !== undefined && (owner.botType !== null || caseKey(owner.deliveryEmail) !== caseKey(email))) {
    throw new Refusal('AUTHENTICATION_FAILED', 'No account can be made with this address.')
  }
  const person = { email, names: identity.names, language }
  if (owner === undefined) {
    const user = await joinByProvenAddress(tx, person, invitationDigest, server)
    await addIdentity(tx, user.id, identity)
    return user
  }
  // Only who has given a code may tie an identity to an account with a second factor. So it is found by its address each time.
  if (!(await hasSecondFactor(tx.db, tx.organizationId, owner.id))) await tieTo(tx, owner, identity)
  return owner
}

/**
 * Ties an identity to an account that has its address. If nobody ever proved that address, somebody else may have made the
 * account to share it later, so every other way in ends.
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
