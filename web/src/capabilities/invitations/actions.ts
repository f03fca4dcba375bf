import { ApiError, call } from '@parley/client'
import { invitations } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { UserFacingError } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import type { Role } from '../users/accounts.ts'
import { ownId } from '../users/state.ts'
import { invitationMethods } from './rights.ts'
import { fetchInvites, type Invite } from './state.ts'

const MAX_WAIT_MILLISECONDS = 10_000

/* The functions below throw errors, so that the calling form can show them. */

export interface InvitationTerms {
  readonly invite_as: Role
  readonly stream_ids: readonly number[]
  readonly group_ids: readonly number[]
  readonly include_realm_default_subscriptions: boolean
  readonly invite_expires_in_minutes: number | null
  readonly welcome_message_custom_text?: string
}

interface InviteResult {
  readonly invitedCount: number
  readonly others: readonly string[]
}

/** Invites email addresses separated by commas or line breaks. @throws UserFacingError if nobody was invited */
export async function sendInvitations(
  addresses: string,
  isNotified: boolean,
  terms: InvitationTerms,
): Promise<InviteResult> {
  const all = new Set(
    addresses
      .split(/[,;\r\n]/)
      .map((one) => one.trim().toLowerCase())
      .filter((one) => one !== ''),
  )
  const input = { ...withMutableIds(terms), invitee_emails: addresses, notify_referrer_on_join: isNotified }
  try {
    await withConfirmation(async () => call(SESSION, invitations.sendInvites, input))
    return { invitedCount: all.size, others: [] }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVITATION_FAILED')) throw error
    const others = refusedAddresses(error)
    if (error.body['sent_invitations'] !== true) throw new UserFacingError(reasonFor(error, others), { cause: error })
    return { invitedCount: all.size - others.length, others }
  }
}

export async function latestInvitations(count: number): Promise<readonly Invite[]> {
  const { all } = await fetchInvites(AbortSignal.timeout(MAX_WAIT_MILLISECONDS))
  return all.filter((one) => !one.is_multiuse && one.invited_by_user_id === ownId()).slice(0, count)
}

function refusedAddresses({ body }: ApiError): readonly string[] {
  const { errors } = body
  return Array.isArray(errors) ? errors.map((one) => (Array.isArray(one) ? String(one[0]) : '')) : []
}

function reasonFor(error: ApiError, others: readonly string[]): string {
  if (error.body['daily_limit_reached'] === true) return ta().invitations.tooMany
  const bad = others.filter((one) => !/^[^\s@]+@[^\s@]+$/.test(one))
  return bad.length > 0 ? ta().invitations.noAddress(bad.join(', ')) : ta().invitations.notInvited(others.join(', '))
}

export async function createLink(terms: InvitationTerms): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, invitations.createInviteLink, withMutableIds(terms))))
    .invite_link
}

/** Copies the ID lists, because the endpoint requires mutable arrays. */
function withMutableIds({ stream_ids: channelIds, group_ids: groupIds, ...terms }: InvitationTerms) {
  return { ...terms, stream_ids: [...channelIds], group_ids: [...groupIds] }
}

export async function resendInvitation({ id, email = '' }: Invite): Promise<void> {
  await call(SESSION, invitations.resendEmailInvite, { invite_id: id })
  toast(ta().invitations.wasSentAgain(email))
}

export async function revokeInvitation({ id, is_multiuse: isLink }: Invite): Promise<void> {
  await call(SESSION, isLink ? invitations.revokeInviteLink : invitations.revokeEmailInvite, { invite_id: id })
  toast(ta().invitations.wasRevoked)
}

/** Requests the link if the list omits it: for email invitations, or if the user has not confirmed their identity. */
export async function fetchInviteLink({ id, link_url: link = '' }: Invite): Promise<string> {
  if (link !== '') return link
  return (await withConfirmation(async () => call(SESSION, invitations.getInviteLink, { invite_id: id }))).invite_link
}

export async function fetchRegistrationLink(email: string): Promise<string> {
  const { registration_link: link } = await withConfirmation(async () =>
    call(SESSION, invitations.makeRegistrationLink, { email }),
  )
  return link
}

const DAY_SECONDS = 86_400
/** Terms of the link that the setup page creates. */
const MEMBER_TERMS: InvitationTerms = {
  invite_as: 400,
  stream_ids: [],
  group_ids: [],
  include_realm_default_subscriptions: true,
  invite_expires_in_minutes: 10 * 24 * 60,
}

/** Finds one of the user's links that invites ordinary members and stays valid for at least another day. */
export async function findMemberLink(signal: AbortSignal): Promise<string | undefined> {
  if (!invitationMethods().includes('link')) return undefined
  const { all } = await fetchInvites(signal)
  const soon = Date.now() / 1000 + DAY_SECONDS
  return all.find(
    ({ is_multiuse: isLink, expiry_date: end, ...one }) =>
      isLink &&
      one.invited_by_user_id === ownId() &&
      one.invited_as === MEMBER_TERMS.invite_as &&
      one.include_realm_default_subscriptions &&
      one.stream_ids.length + one.group_ids.length === 0 &&
      (end === null || end > soon),
  )?.link_url
}

let pendingLink: Promise<string> | undefined

/** Simultaneous calls share a link. Later calls find the same link, unless it was revoked. */
export async function findOrCreateMemberLink(signal: AbortSignal): Promise<string> {
  pendingLink ??= findMemberLink(signal)
    .then(async (known) => known ?? createLink(MEMBER_TERMS))
    .finally(() => {
      pendingLink = undefined
    })
  return pendingLink
}
