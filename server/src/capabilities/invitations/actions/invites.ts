import { ROLE } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Reader, Tx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { NewToken } from '../../../platform/tokens/tokens.ts'
import { isRecentlyConfirmed, requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { isLockedDown } from '../../community/queries.ts'
import { mayAddGroupMembers, requirePermission } from '../../groups/actions/access.ts'
import { cancelMails } from '../../mail/actions/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { INVITATION_LIMIT, invitesChanged } from '../contract.ts'
import { invitationById, JOIN_PATH, joinLinkOf, validInvitations, type Invitation } from '../queries.ts'
import {
  invitableChannel,
  invitableGroup,
  mayManageOthersInvitations,
  mayManageRole,
  isInviterStillPermitted,
  requireMayInvite,
} from '../rules.ts'
import { validateInvitees, requireAllInvited, type CheckedInvitees } from './invitees.ts'
import { recordResend, reserveInvitationMails, sendInvitations } from './mails.ts'

type InvitationTerms = Pick<
  Invitation,
  'role' | 'channelIds' | 'groupIds' | 'includesDefaultChannels' | 'notifiesInviter' | 'welcomeText' | 'expiresAt'
>

type InviteLinkInput = Input<typeof contract.createInviteLink>

interface PreparedInvites {
  readonly invitees: CheckedInvitees
  readonly tokens: ReadonlyMap<string, NewToken>
}

export async function prepareInvites(
  { log, actor, server }: PreparationCall,
  input: Input<typeof contract.sendInvites>,
): Promise<PreparedInvites> {
  // Checks the permission before any response depends on the addresses.
  requireMayInvite(log.organization, actor, { email: '', role: input.invite_as })
  const invitees = await validateInvitees(log.organization, actor, input.invitee_emails)
  const tokens = new Map<string, NewToken>()
  for (const email of invitees.good) tokens.set(email, await server.tokens.make())
  return { invitees, tokens }
}

export async function sendInvites(
  tx: ActorTx,
  input: Input<typeof contract.sendInvites>,
  { tokens }: PreparedInvites,
): Promise<Record<string, never>> {
  requireMayInvite(tx.organization, tx.actor, { email: '', role: input.invite_as })
  requireMayInviteNow(tx)
  await requireConfirmedSessionForRole(tx, input)
  const terms = checkInvitationTerms(tx, input)
  await reserveInvitationMails(tx, tokens.size)
  await deleteOwnInvitations(tx, [...tokens.keys()])
  const made = await addInvitations(tx, terms, [...tokens])
  await sendInvitations(tx, made)
  emitInvitesChanged(tx, tx.actor.userId)
  return {}
}

/** Invitations by email let people join even during a lock-down, so raiders must not send them. @throws ApiError BAD_REQUEST */
function requireMayInviteNow({ organization, actor, now }: ActorTx): void {
  if (actor.role <= ROLE.moderator || !isLockedDown(organization, now)) return
  throw new ApiError('BAD_REQUEST', 'The organization is locked down: for now, only moderators can invite people.')
}

export function reportFailedInvitations(
  _call: PreparationCall,
  answer: Record<string, never>,
  { invitees }: PreparedInvites,
): Record<string, never> {
  requireAllInvited(invitees)
  return answer
}

export async function newInvitationToken({ server }: PreparationCall): Promise<NewToken> {
  return server.tokens.make()
}

export async function createInviteLink(
  tx: ActorTx,
  input: Input<typeof contract.createInviteLink>,
  token: NewToken,
  server: ServerFacts,
): Promise<Output<typeof contract.createInviteLink>> {
  requireMayInvite(tx.organization, tx.actor, { email: null, role: input.invite_as })
  await requireConfirmedSessionForRole(tx, input)
  await addInvitations(tx, checkInvitationTerms(tx, input), [[null, token]])
  emitInvitesChanged(tx, tx.actor.userId)
  return { invite_link: `${server.urlOf(tx.organization)}${JOIN_PATH}${token.token}` }
}

/** Requires a confirmed session to invite administrators: a stolen session could otherwise gain lasting access. */
async function requireConfirmedSessionForRole(
  tx: ActorTx,
  { invite_as: role }: Pick<InviteLinkInput, 'invite_as'>,
): Promise<void> {
  if (isAdministrator({ role })) await requireRecentConfirmation(tx)
}

/** @throws ApiError BAD_REQUEST beyond the limit of active invitations */
async function addInvitations<Email extends string | null>(
  tx: ActorTx,
  terms: InvitationTerms,
  invited: readonly (readonly [email: Email, token: NewToken])[],
): Promise<(Invitation & { readonly email: Email })[]> {
  const made = invited.map(([email, { seed, digest }]) => ({ email, seed, digest, id: tx.nextId() }))
  await tx.db
    .insertInto('invitations')
    .values(
      made.map(({ id, email, seed, digest }) => ({
        organization_id: tx.organizationId,
        id,
        invited_by: tx.actor.userId,
        email,
        email_key: email === null ? null : caseKey(email),
        role: terms.role,
        channel_ids: [...terms.channelIds],
        group_ids: [...terms.groupIds],
        includes_default_channels: terms.includesDefaultChannels,
        notifies_inviter: terms.notifiesInviter,
        welcome_text: terms.welcomeText,
        invited_at: tx.now,
        expires_at: terms.expiresAt,
        seed,
        digest,
      })),
    )
    .execute()
  const { count } = await tx.db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', tx.organizationId)
    .executeTakeFirstOrThrow()
  if (count > INVITATION_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${INVITATION_LIMIT.most} active invitations.`)
  }
  return made.map(({ id, email, seed }) => ({
    ...terms,
    id,
    email,
    seed,
    invitedBy: tx.actor.userId,
    invitedAt: tx.now,
  }))
}

async function deleteOwnInvitations(tx: ActorTx, emails: readonly string[]): Promise<void> {
  const ended = await tx.db
    .deleteFrom('invitations')
    .where('organization_id', '=', tx.organizationId)
    .where('invited_by', '=', tx.actor.userId)
    .where('email_key', 'in', emails.map(caseKey))
    .returning('seed')
    .execute()
  await cancelMails(
    tx,
    ended.map(({ seed }) => seed),
  )
}

/** Hidden channels and groups get the same error as missing channels and groups. */
function checkInvitationTerms(tx: ActorTx, input: InviteLinkInput): InvitationTerms {
  const channelIds = [...new Set(input.stream_ids)]
  for (const id of channelIds) {
    const found = invitableChannel(tx.organization, tx.actor, id)
    if (found === undefined) throw new ApiError('BAD_REQUEST', `Invalid channel ID ${id}. No invitations were sent.`)
    if (!found.isAllowed) {
      throw new ApiError('BAD_REQUEST', 'You do not have permission to subscribe other users to channels.')
    }
  }
  const groupIds = [...new Set(input.group_ids)]
  for (const id of groupIds) {
    const group = invitableGroup(tx.organization, id)
    if (group === undefined) throw new ApiError('BAD_REQUEST', `Invalid user group ID: ${id}`)
    requirePermission(mayAddGroupMembers(tx.organization, tx.actor, group))
  }
  const { invite_expires_in_minutes: minutes, invite_as: role } = input
  return {
    role,
    channelIds,
    groupIds,
    includesDefaultChannels: input.include_realm_default_subscriptions,
    notifiesInviter: input.notify_referrer_on_join,
    welcomeText: checkWelcomeMessage(tx, input.welcome_message_custom_text),
    expiresAt: minutes === null ? null : tx.now + minutes * 60,
  }
}

/** The notification bot speaks for the organization, so only administrators can choose its words. */
function checkWelcomeMessage(tx: ActorTx, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  return text
}

export async function revokeEmailInvite(
  tx: ActorTx,
  { invite_id: id }: Input<typeof contract.revokeEmailInvite>,
): Promise<Record<string, never>> {
  await deleteInvitation(tx, await requireInvitation(tx, id, 'by email'))
  return {}
}

export async function revokeInviteLink(
  tx: ActorTx,
  { invite_id: id }: Input<typeof contract.revokeInviteLink>,
): Promise<Record<string, never>> {
  await deleteInvitation(tx, await requireInvitation(tx, id, 'link'))
  return {}
}

export async function resendEmailInvite(
  tx: ActorTx,
  { invite_id: id }: Input<typeof contract.resendEmailInvite>,
): Promise<Record<string, never>> {
  const invitation = await requireInvitation(tx, id, 'by email')
  if (!isInviterStillPermitted(tx.organization, invitation)) throw unknownInvitationError()
  await recordResend(tx, invitation)
  await reserveInvitationMails(tx, 1)
  await cancelMails(tx, [invitation.seed])
  await sendInvitations(tx, [{ ...invitation, email: invitation.email ?? '' }])
  return {}
}

export async function getInvites(
  reader: Reader,
  _input: Input<typeof contract.getInvites>,
  server: ServerFacts,
): Promise<Output<typeof contract.getInvites>> {
  const good = await validInvitations(reader)
  const showsAll = !good.some(isAdministrator) || (await isRecentlyConfirmed(reader))
  const present = async (one: Invitation): Promise<Invite> => ({
    id: one.id,
    invited_by_user_id: one.invitedBy,
    invited: one.invitedAt,
    expiry_date: one.expiresAt,
    invited_as: one.role,
    notify_referrer_on_join: one.notifiesInviter,
    ...(one.email === null
      ? {
          is_multiuse: true,
          link_url: showsAll || !isAdministrator(one) ? await joinLinkOf(reader.organization, server, one) : '',
        }
      : { is_multiuse: false, email: one.email }),
  })
  return { invites: await Promise.all(good.map(present)) }
}

type Invite = Output<typeof contract.getInvites>['invites'][number]

export async function getInviteLink(
  reader: Reader,
  { invite_id: id }: Input<typeof contract.getInviteLink>,
  server: ServerFacts,
): Promise<Output<typeof contract.getInviteLink>> {
  const invitation = await requireInvitation(reader, id)
  if (invitation.email !== null && server.mailer.isConfigured) {
    throw new ApiError('BAD_REQUEST', 'The link was sent to the recipient by email.')
  }
  if (isAdministrator(invitation)) await requireRecentConfirmation(reader)
  return { invite_link: await joinLinkOf(reader.organization, server, invitation) }
}

async function requireInvitation(
  { db, organizationId, actor, now }: Pick<Reader, 'db' | 'organizationId' | 'actor' | 'now'>,
  id: number,
  kind?: 'by email' | 'link',
): Promise<Invitation> {
  const invitation = await invitationById(db, organizationId, id, now)
  if (invitation === undefined) throw unknownInvitationError()
  if (kind !== undefined && (invitation.email === null) !== (kind === 'link')) throw unknownInvitationError()
  if (invitation.invitedBy !== actor.userId && !mayManageOthersInvitations(actor)) throw unknownInvitationError()
  if (!mayManageRole(actor, invitation.role)) throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  return invitation
}

function unknownInvitationError(): ApiError {
  return new ApiError('BAD_REQUEST', 'No such invitation')
}

/** Deletes the user's invitations that make people administrators or owners. Returns their number. */
export async function deleteAdministratorInvitationsOf(tx: Tx, userId: number): Promise<number> {
  const ended = await tx.db
    .deleteFrom('invitations')
    .where('organization_id', '=', tx.organizationId)
    .where('invited_by', '=', userId)
    .where('role', '<=', ROLE.administrator)
    .returning('seed')
    .execute()
  await cancelMails(
    tx,
    ended.map(({ seed }) => seed),
  )
  if (ended.length > 0) emitInvitesChanged(tx, userId)
  return ended.length
}

export async function deleteInvitation(tx: Tx, { id, seed, invitedBy }: Invitation): Promise<void> {
  await tx.db.deleteFrom('invitations').where('organization_id', '=', tx.organizationId).where('id', '=', id).execute()
  await cancelMails(tx, [seed])
  emitInvitesChanged(tx, invitedBy)
}

function emitInvitesChanged(tx: Tx, invitedBy: number): void {
  tx.emit(invitesChanged, {}, { roleAtMost: ROLE.administrator, users: [invitedBy] })
}
