import type { Input, Output } from '../../../kernel/endpoint.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Db } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { tokenDigest, type NewToken } from '../../../platform/tokens/tokens.ts'
import { requireOrganizationLog } from '../../authentication/actions/index.ts'
import { queueMail } from '../../mail/actions/index.ts'
import { MAIL_CLIENT } from '../../mail/rules.ts'
import { validEmail, requireAllowedAddress, requireAllowedDomain } from '../../users/actions/addresses.ts'
import { changeUser } from '../../users/actions/index.ts'
import { userByEmail, userById, type UserRow } from '../../users/queries/index.ts'
import { mayChangeOwnEmail } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { ADDRESS_LINK_SECONDS, ADDRESS_MAIL_LIMIT, ADDRESS_MAIL_PERIOD_SECONDS } from '../contract.ts'
import { accountLinkByDigest } from '../queries.ts'
import { recordConfirmedAddress, addAccountLink } from './links.ts'
import { addressConfirmationMail, addressChangedMail, addressTakenMail } from './mails.ts'
import { invalidAccountLinkError } from './passwords.ts'

/** Emails a link to the new address, or a notice if another account has it. The response does not reveal which. */
export async function requestAddressChange(tx: ActorTx, user: UserRow, given: string, token: NewToken): Promise<void> {
  const email = validEmail(given)
  await requireAllowedDomain(tx.organization, email)
  await requireAddressMailQuota(tx, user.id)
  const other = userByEmail(tx.organization, email)
  const isTaken = other !== undefined && other.id !== user.id
  // The link is created even if the address is taken, so that the number of links and emails reveals nothing.
  await addAccountLink(tx, { userId: user.id, newEmail: email, seconds: ADDRESS_LINK_SECONDS }, token)
  await queueMail(
    tx,
    isTaken
      ? addressTakenMail(tx.organization, other)
      : addressConfirmationMail(tx.organization, user, email, token.seed),
  )
}

/** Limits how many emails a user can have sent to arbitrary addresses. @throws ApiError BAD_REQUEST */
async function requireAddressMailQuota(tx: ActorTx, userId: number): Promise<void> {
  const { count } = await tx.db
    .selectFrom('account_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('new_email', 'is not', null)
    .where('made_at', '>', tx.now - ADDRESS_MAIL_PERIOD_SECONDS)
    .executeTakeFirstOrThrow()
  if (count >= ADDRESS_MAIL_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', 'You requested too many email address changes. Try again later.')
  }
}

export async function confirmEmail(
  call: OpenCall,
  input: Input<typeof contract.confirmEmail>,
): Promise<Output<typeof contract.confirmEmail>> {
  const log = requireOrganizationLog(call)
  const digest = tokenDigest(input.token)
  const { user: asked } = await addressChangeFromLink(
    call.reads,
    log.organization,
    digest,
    Math.floor(Date.now() / 1000),
  )
  const actor = { userId: asked.id, role: asked.role, client: MAIL_CLIENT }
  const email = await log.act(actor, async (tx) => {
    const { user, newEmail } = await addressChangeFromLink(tx.db, tx.organization, digest, tx.now)
    if (!mayChangeOwnEmail(tx.organization, user)) {
      throw new ApiError('BAD_REQUEST', 'Email address changes are disabled in this organization.')
    }
    await requireAllowedAddress(tx.organization, newEmail, user)
    const { user: changed } = await changeUser(tx, user, { email: newEmail })
    await recordConfirmedAddress(tx, changed)
    if (caseKey(user.deliveryEmail) !== caseKey(newEmail)) {
      await queueMail(tx, addressChangedMail(tx.organization, user, newEmail))
    }
    return newEmail
  })
  return { email }
}

async function addressChangeFromLink(
  db: Db,
  organization: OrganizationState,
  digest: Buffer,
  now: number,
): Promise<{ user: UserRow; newEmail: string }> {
  const link = await accountLinkByDigest(db, organization.id, digest, { purpose: 'address', now })
  const user = link === undefined ? undefined : userById(organization, link.userId)
  const newEmail = link?.newEmail ?? null
  if (user?.isActive !== true || newEmail === null) throw invalidAccountLinkError()
  return { user, newEmail }
}
