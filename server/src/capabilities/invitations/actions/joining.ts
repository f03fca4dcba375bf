import { sql } from 'kysely'
import { ROLE, type Role } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { organizationDeactivatedError, ApiError } from '../../../kernel/refusal.ts'
import type { Db, Tx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { tokenDigest, type NewToken } from '../../../platform/tokens/tokens.ts'
import { hashChosenPassword, requireOrganizationLog } from '../../authentication/actions/index.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { defaultChannels } from '../../channels/rules/index.ts'
import { recordInvited } from '../../community/actions.ts'
import { isLockedDown } from '../../community/queries.ts'
import { isGroupable } from '../../default-channel-groups/actions.ts'
import { defaultChannelGroupsOf } from '../../default-channel-groups/queries.ts'
import { mayAddGroupMembers } from '../../groups/actions/access.ts'
import { recordConfirmedAddress } from '../../account-links/actions/links.ts'
import { queueWelcomeMail } from '../../account-links/actions/mails.ts'
import { queueMail, cancelMails } from '../../mail/actions/index.ts'
import { requireNamesWithoutLinks } from '../../messages/queries/newcomers.ts'
import { standardWelcome } from '../../newcomers/actions.ts'
import { isDeactivated, organizationOf } from '../../organizations/queries/index.ts'
import { useChallenge, verifyProof } from '../../registration-challenges/actions.ts'
import { beginSessionOrSecondFactor, createSignInResponse } from '../../sessions/actions/login.ts'
import { createAccount, type AccountOverrides } from '../../users/actions/accounts.ts'
import { validEmail, requireAllowedAddress, requireAllowedDomain } from '../../users/actions/addresses.ts'
import { firstAllowedName } from '../../users/actions/index.ts'
import { userByEmail, type NewAccountSettings, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import {
  CONFIRMATION_DELAY_SECONDS,
  CONFIRMATION_LINK_SECONDS,
  CONFIRMATIONS_PER_ADDRESS,
  REGISTRATION_LIMIT,
} from '../contract.ts'
import { invitationByDigest, invitationsToEmail, registrationByDigest, type Invitation } from '../queries.ts'
import { invitableChannel, invitableGroup, isValidInvitation } from '../rules.ts'
import { deleteInvitation } from './invites.ts'
import { confirmationMail } from './mails.ts'
import {
  rolesOfRegistrations,
  emitRegistrationsRemoved,
  emitRegistrationAdded,
  type GrantedRole,
} from './registrations.ts'

interface JoinGrant {
  readonly email: string | null
  readonly invitation: Invitation | null
}

export async function getJoinOrganization(call: OpenCall): Promise<Output<typeof contract.getJoinOrganization>> {
  const { organization } = requireOrganizationLog(call)
  return Promise.resolve({
    realm_name: organizationOf(organization).name,
    can_register: isValidInvitation(organization, null) && !isLockedDown(organization, unixSecondsNow()),
    sends_email: call.server.mailer.isConfigured,
  })
}

export async function getInvitation(
  call: OpenCall,
  { token }: Input<typeof contract.getInvitation>,
): Promise<Output<typeof contract.getInvitation>> {
  const { organization } = requireOrganizationLog(call)
  const { email, invitation } = await requireJoinGrant(call.reads, organization, tokenDigest(token), unixSecondsNow())
  return {
    realm_name: organizationOf(organization).name,
    inviter_full_name: invitation === null ? null : knownUser(organization, invitation.invitedBy).fullName,
    asks_for_email: email === null,
    confirms_email: email === null && call.server.mailer.isConfigured,
    default_channel_groups: await offeredChannelGroups(call.reads, organization, invitedRole(invitation)),
  }
}

export async function join(call: OpenCall, input: Input<typeof contract.join>): Promise<Output<typeof contract.join>> {
  const log = requireOrganizationLog(call)
  const digest = tokenDigest(input.token)
  // Checks the token before the slow hashing of the password, and outside the transaction: guesses take no lock.
  const known = await requireJoinGrant(call.reads, log.organization, digest, unixSecondsNow())
  await requireNamesWithoutLinks(log.organization, [input.full_name])
  const ownWords = [known.email ?? input.email ?? '', input.full_name, organizationOf(log.organization).name]
  const permit = digest.toString('hex')
  const passwordHash = await hashChosenPassword(call, { password: input.password, ownWords, permit })
  const { user, begun } = await log.write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivatedError()
    const entry = await requireJoinGrant(tx.db, tx.organization, digest, tx.now)
    const email = await validateJoinAddress(tx.organization, entry, input.email, call.server.mailer.isConfigured)
    const account = { email, fullName: input.full_name, role: invitedRole(entry.invitation), chosen: input }
    const beginning = initialAccountSettings(tx.organization, entry, account)
    const chosen = await channelsInChosenGroups(tx, input.default_channel_group_ids, account.role)
    const channels = [...new Set([...beginning.channels, ...chosen])]
    const opened = await createAccount(tx, account, passwordHash, { ...beginning, channels })
    if (entry.invitation !== null) await recordInvited(tx, opened.user.id)
    // If the server sends no email, the address is unconfirmed: the person who passed on the link may have chosen it.
    if (entry.email !== null && call.server.mailer.isConfigured) await recordConfirmedAddress(tx, opened.user)
    await deletePendingInvitationsTo(tx, call.server, email)
    await queueWelcomeMail(tx, call.server, opened.user)
    return { user: opened.user, begun: await beginSessionOrSecondFactor(tx, call, opened.user) }
  })
  return createSignInResponse(call, user, begun)
}

export async function requestRegistration(
  call: OpenCall,
  input: Input<typeof contract.requestRegistration>,
): Promise<Record<string, never>> {
  const log = requireOrganizationLog(call)
  const email = validEmail(input.email)
  const digest = input.token === undefined ? undefined : tokenDigest(input.token)
  await requireMayRegister(call.reads, log.organization, digest, unixSecondsNow())
  await requireAllowedDomain(log.organization, email)
  const solved = digest === undefined ? await verifyProof(call, input.proof) : undefined
  const token = await call.server.tokens.make()
  await log.write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivatedError()
    const invitation = await requireMayRegister(tx.db, tx.organization, digest, tx.now)
    await requireAllowedDomain(tx.organization, email)
    if (solved !== undefined) await useChallenge(tx, solved)
    const asking = { email, token, invitation, language: input.default_language }
    if (await maySendConfirmation(tx, email)) await requestConfirmation(tx, call.server, asking)
  })
  return {}
}

export interface VerifiedPerson {
  readonly email: string
  readonly names: readonly string[]
  readonly chosen?: NewAccountSettings
}

/** Creates an account without a password. Requires an invitation or open registration. */
export async function joinWithVerifiedEmail(
  tx: Tx,
  person: VerifiedPerson,
  invitationDigest: Buffer | null,
  server: Pick<ServerFacts, 'mailer'>,
): Promise<UserRow> {
  const { email, chosen = {} } = person
  const entry = await joinGrantFor(tx, email, invitationDigest)
  await requireAllowedAddress(tx.organization, email)
  const fullName = firstAllowedName(tx, await requireNamesWithoutLinks(tx.organization, person.names))
  const account = { email, fullName, role: invitedRole(entry.invitation), chosen }
  const { user } = await createAccount(tx, account, null, initialAccountSettings(tx.organization, entry, account))
  if (entry.invitation !== null) await recordInvited(tx, user.id)
  await recordConfirmedAddress(tx, user)
  await deletePendingInvitationsTo(tx, server, email)
  await queueWelcomeMail(tx, server, user)
  return user
}

async function joinGrantFor(tx: Tx, email: string, invitationDigest: Buffer | null): Promise<JoinGrant> {
  if (invitationDigest !== null) {
    const entry = await requireJoinGrant(tx.db, tx.organization, invitationDigest, tx.now)
    if (entry.email !== null && caseKey(entry.email) !== caseKey(email)) {
      throw new ApiError('BAD_REQUEST', 'This link is for another email address.')
    }
    return entry
  }
  const invitations = await invitationsToEmail(tx.db, tx.organizationId, email)
  const invitation = invitations.findLast(
    (one) => (one.expiresAt === null || one.expiresAt > tx.now) && isValidInvitation(tx.organization, one),
  )
  requireOpenToNewPeople(tx.organization, invitation ?? null, tx.now)
  if (invitation === undefined && !isValidInvitation(tx.organization, null)) {
    throw new ApiError('BAD_REQUEST', 'Only people who are invited can join this organization.')
  }
  return { email, invitation: invitation ?? null }
}

/** Every invalid token gets the same error. */
async function requireJoinGrant(
  db: Db,
  organization: OrganizationState,
  digest: Buffer,
  now: number,
): Promise<JoinGrant> {
  const invitation = await invitationByDigest(db, organization.id, digest, now)
  requireOpenToNewPeople(organization, invitation ?? null, now)
  const entry =
    invitation === undefined
      ? await registrationByDigest(db, organization.id, digest, now)
      : { email: invitation.email, invitation }
  if (entry === undefined || !isValidInvitation(organization, entry.invitation)) throw invalidJoinLinkError()
  return entry
}

/** During a lock-down, only people who were invited by name can join. @throws ApiError BAD_REQUEST */
function requireOpenToNewPeople(
  organization: OrganizationState,
  invitation: Pick<Invitation, 'email'> | null,
  now: number,
): void {
  if (invitation !== null && invitation.email !== null) return
  if (isLockedDown(organization, now)) {
    throw new ApiError('BAD_REQUEST', 'This organization does not accept new members at the moment. Try again later.')
  }
}

function invalidJoinLinkError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This link is no longer valid.')
}

async function validateJoinAddress(
  organization: OrganizationState,
  entry: JoinGrant,
  given: string | undefined,
  isConfirmed: boolean,
): Promise<string> {
  if (entry.email !== null) {
    if (given !== undefined && caseKey(given.trim()) !== caseKey(entry.email)) {
      throw new ApiError('BAD_REQUEST', 'This link is for another email address.')
    }
    await requireAllowedAddress(organization, entry.email)
    return entry.email
  }
  if (isConfirmed) throw new ApiError('BAD_REQUEST', 'The email address must be confirmed first.')
  const email = validEmail(given ?? '')
  await requireAllowedDomain(organization, email)
  // Does not say whether an account exists, because the person has not confirmed the address.
  if (userByEmail(organization, email) !== undefined) {
    throw new ApiError(
      'BAD_REQUEST',
      'An account cannot be created with this email address. If you already have one, sign in.',
    )
  }
  return email
}

function invitedRole(invitation: Invitation | null): Role {
  return invitation?.role ?? ROLE.member
}

function initialAccountSettings(
  organization: OrganizationState,
  { invitation }: JoinGrant,
  account: Parameters<typeof standardWelcome>[1],
): AccountOverrides & { readonly channels: readonly Channel[] } {
  const welcome = standardWelcome(organization, account)
  if (invitation === null) {
    const channels = channelsWithIds(organization, defaultChannels(organization, { role: ROLE.member }))
    return { channels, standardWelcome: welcome }
  }
  const { id: userId, role } = knownUser(organization, invitation.invitedBy)
  const inviter = { userId, role }
  const defaults = invitation.includesDefaultChannels ? defaultChannels(organization, invitation) : []
  const granted = invitation.channelIds.filter((id) => invitableChannel(organization, inviter, id)?.isAllowed === true)
  return {
    channels: channelsWithIds(organization, [...new Set([...defaults, ...granted])]),
    groups: invitation.groupIds
      .map((id) => invitableGroup(organization, id))
      .filter((group) => group !== undefined)
      .filter((group) => mayAddGroupMembers(organization, inviter, group)),
    welcomeText: invitation.welcomeText,
    referrerId: invitation.notifiesInviter ? invitation.invitedBy : null,
    standardWelcome: welcome,
  }
}

function channelsWithIds(organization: OrganizationState, ids: readonly number[]): Channel[] {
  return ids.map((id) => channelById(organization, id)).filter((channel) => channel !== undefined)
}

async function offeredChannelGroups(
  db: Db,
  organization: OrganizationState,
  role: Role,
): Promise<Output<typeof contract.getInvitation>['default_channel_groups']> {
  if (role === ROLE.guest) return []
  const groups = await defaultChannelGroupsOf(db, organization.id)
  return groups
    .map(({ id, name, description, streams }) => ({
      id,
      name,
      description,
      channel_names: channelsWithIds(organization, streams)
        .filter(isGroupable)
        .map((channel) => channel.name),
    }))
    .filter(({ channel_names: names }) => names.length > 0)
}

async function channelsInChosenGroups(tx: Tx, ids: readonly number[], role: Role): Promise<Channel[]> {
  if (ids.length === 0) return []
  const groups = role === ROLE.guest ? [] : await defaultChannelGroupsOf(tx.db, tx.organizationId)
  const chosen = new Set(ids)
  const absent = ids.find((id) => !groups.some((group) => group.id === id))
  if (absent !== undefined) {
    throw new ApiError('BAD_REQUEST', `Default channel group with id '${absent}' does not exist.`)
  }
  const channelIds = groups.filter(({ id }) => chosen.has(id)).flatMap(({ streams }) => streams)
  return channelsWithIds(tx.organization, channelIds).filter(isGroupable)
}

async function deletePendingInvitationsTo(tx: Tx, server: Pick<ServerFacts, 'mailer'>, email: string): Promise<void> {
  const granted = await rolesOfRegistrations(tx, email)
  for (const invitation of await invitationsToEmail(tx.db, tx.organizationId, email))
    await deleteInvitation(tx, invitation)
  const ended = await tx.db
    .deleteFrom('registrations')
    .where('organization_id', '=', tx.organizationId)
    .where('email_key', '=', caseKey(email))
    .returning('seed')
    .execute()
  await cancelMails(
    tx,
    ended.map(({ seed }) => seed),
  )
  emitRegistrationsRemoved(tx, server, granted)
}

async function requireMayRegister(
  db: Db,
  organization: OrganizationState,
  digest: Buffer | undefined,
  now: number,
): Promise<Invitation | null> {
  requireOpenToNewPeople(organization, null, now)
  if (digest === undefined) {
    if (isValidInvitation(organization, null)) return null
    throw new ApiError('BAD_REQUEST', 'Only people who are invited can join this organization.')
  }
  const invitation = await invitationByDigest(db, organization.id, digest, now)
  if (invitation === undefined || invitation.email !== null || !isValidInvitation(organization, invitation))
    throw invalidJoinLinkError()
  return invitation
}

/** The result does not depend on whether the address has an account. */
async function maySendConfirmation(tx: Tx, email: string): Promise<boolean> {
  const asked = await tx.db
    .selectFrom('registrations')
    .select('requested_at')
    .where('organization_id', '=', tx.organizationId)
    .where('email_key', '=', caseKey(email))
    .where('expires_at', '>', tx.now)
    .execute()
  const isRecent = asked.some(({ requested_at }) => requested_at > tx.now - CONFIRMATION_DELAY_SECONDS)
  return !isRecent && asked.length < CONFIRMATIONS_PER_ADDRESS
}

interface RegistrationRequest {
  readonly email: string
  readonly token: NewToken
  readonly invitation: Invitation | null
  readonly language: string | undefined
}

/** An address with an account also gets an email, but no link to join. */
async function requestConfirmation(
  tx: Tx,
  server: Pick<ServerFacts, 'mailer'>,
  { email, token, invitation, language }: RegistrationRequest,
): Promise<void> {
  emitRegistrationsRemoved(tx, server, await deleteOldestRegistrations(tx))
  const before = await rolesOfRegistrations(tx, email)
  await tx.db
    .insertInto('registrations')
    .values({
      organization_id: tx.organizationId,
      digest: token.digest,
      seed: token.seed,
      email,
      email_key: caseKey(email),
      invitation_id: invitation?.id ?? null,
      requested_at: tx.now,
      expires_at: tx.now + CONFIRMATION_LINK_SECONDS,
    })
    .execute()
  const hasAccount = userByEmail(tx.organization, email) !== undefined
  const mail = confirmationMail(tx.organization, { email, language, seed: hasAccount ? undefined : token.seed })
  await queueMail(tx, mail)
  emitRegistrationAdded(tx, server, invitation?.role ?? null, before)
}

/** Makes space, so that many requests cannot block new people. Returns the roles that the deleted links grant. */
async function deleteOldestRegistrations(tx: Tx): Promise<GrantedRole[]> {
  const { rows } = await sql<{ seed: Buffer; role: GrantedRole }>`
    with ended as (
      delete from registrations where organization_id = ${tx.organizationId} and digest in (
        select digest from registrations where organization_id = ${tx.organizationId}
        order by requested_at desc, digest offset ${REGISTRATION_LIMIT.most - 1})
      returning seed, invitation_id)
    select ended.seed, i.role from ended
    left join invitations i on i.organization_id = ${tx.organizationId} and i.id = ended.invitation_id`.execute(tx.db)
  await cancelMails(
    tx,
    rows.map(({ seed }) => seed),
  )
  return rows.map(({ role }) => role)
}

function unixSecondsNow(): number {
  return Math.floor(Date.now() / 1000)
}
