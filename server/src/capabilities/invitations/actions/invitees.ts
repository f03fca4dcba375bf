import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Member } from '../../groups/rules.ts'
import { isAddress } from '../../../platform/mail/address.ts'
import { validEmail, requireAllowedDomain } from '../../users/actions/addresses.ts'
import { userByEmail } from '../../users/queries/index.ts'
import { canSeeAddress } from '../../users/rules/index.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import { MAX_INVITEES } from '../contract.ts'
import { parseAddressList } from '../rules.ts'

export interface CheckedInvitees {
  readonly good: readonly string[]
  readonly others: readonly InvitationError[]
}

type InvitationError = readonly [email: string, reason: string, isDeactivated: boolean]

/** @throws ApiError BAD_REQUEST for no or too many addresses; INVITATION_FAILED if an entry is not an address */
export async function validateInvitees(
  organization: OrganizationState,
  member: Member,
  given: string,
): Promise<CheckedInvitees> {
  const emails = new Map<string, string>()
  for (const email of parseAddressList(given)) {
    if (!emails.has(caseKey(email))) emails.set(caseKey(email), email)
    if (emails.size > MAX_INVITEES) {
      throw new ApiError('BAD_REQUEST', `You can invite at most ${MAX_INVITEES} people at once.`)
    }
  }
  if (emails.size === 0) throw new ApiError('BAD_REQUEST', 'You must specify at least one email address.')
  const noAddresses = [...emails.values()].filter((email) => !isValidEmail(email))
  if (noAddresses.length > 0) {
    throw invitationFailedError(
      'Some emails did not validate, so we did not send any invitations.',
      noAddresses.map((email) => [email, 'Enter a valid email address.', false]),
      false,
    )
  }
  const good: string[] = []
  const others: InvitationError[] = []
  for (const email of emails.values()) {
    const reason = visibleAccountError(organization, member, email) ?? (await domainError(organization, email))
    if (reason === undefined) good.push(email)
    else others.push(reason)
  }
  if (good.length === 0) requireAllInvited({ good, others })
  return { good, others }
}

/** @throws ApiError INVITATION_FAILED if some addresses were rejected; the other addresses have been invited by then */
export function requireAllInvited({ good, others }: CheckedInvitees): void {
  if (others.length === 0) return
  const message =
    good.length === 0
      ? 'We could not invite anybody.'
      : 'Some of these addresses cannot be invited. The others were invited.'
  throw invitationFailedError(message, others, good.length > 0)
}

function invitationFailedError(message: string, errors: readonly InvitationError[], isSent: boolean): ApiError {
  return new ApiError('INVITATION_FAILED', message, {
    errors,
    sent_invitations: isSent,
    license_limit_reached: false,
    daily_limit_reached: false,
  })
}

function isValidEmail(email: string): boolean {
  try {
    return isAddress(validEmail(email))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function visibleAccountError(
  organization: OrganizationState,
  member: Member,
  email: string,
): InvitationError | undefined {
  const user = userByEmail(organization, email)
  if (user === undefined || !canSeeUser(organization, member, user) || !canSeeAddress(member, user)) return undefined
  return user.isActive ? [email, 'Already has an account.', false] : [email, 'Account has been deactivated.', true]
}

/** Applies the domain rules even if a hidden account has the address, so as not to reveal the account. */
async function domainError(organization: OrganizationState, email: string): Promise<InvitationError | undefined> {
  try {
    await requireAllowedDomain(organization, validEmail(email))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return [email, error.message, false]
    throw error
  }
}
