import type { Actor } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { organizationDeactivatedError, ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Db, Tx } from '../../../kernel/transaction.ts'
import type { OpenCall, PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { tokenDigest, type NewToken } from '../../../platform/tokens/tokens.ts'
import { deleteApiTokensOf } from '../../api-tokens/actions.ts'
import { countAttempt } from '../../authentication/actions/attempts.ts'
import {
  hashChosenPassword,
  requireOrganizationLog,
  setPassword,
  renewApiKey,
} from '../../authentication/actions/index.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import { deleteChannelAddressesOf } from '../../incoming-mail/actions/addresses.ts'
import { queueMail } from '../../mail/actions/index.ts'
import { pauseServices } from '../../bots/actions/payload-urls.ts'
import { deleteAdministratorInvitationsOf } from '../../invitations/actions/invites.ts'
import { unlinkIdentities } from '../../openid-connect/actions/identities.ts'
import { isDeactivated, organizationOf } from '../../organizations/queries/index.ts'
import { deletePasskeysOf } from '../../passkeys/actions/index.ts'
import { deletePushTokensOf } from '../../push/actions.ts'
import { endSessionsOf, deleteKnownDevices, requireSessionId } from '../../sessions/actions/index.ts'
import { beginSessionOrSecondFactor, createSignInResponse } from '../../sessions/actions/login.ts'
import { validEmail } from '../../users/actions/addresses.ts'
import { userByEmail, userById, type UserRow } from '../../users/queries/index.ts'
import { botsOf } from '../../users/rules/bots.ts'
import { knownUser, requireMayManage } from '../../users/rules/index.ts'
import { requireVisibleUser } from '../../users/rules/visibility.ts'
import { deletePushSubscriptionsOf } from '../../web-push/actions/subscriptions.ts'
import type * as contract from '../contract.ts'
import { PASSWORD_LINK_SECONDS, PASSWORD_REQUEST_LIMIT, SERVER_SENDS_EMAIL_MESSAGE } from '../contract.ts'
import { accountLinkByDigest, hasMaxPasswordLinks } from '../queries.ts'
import { recordConfirmedAddress, addAccountLink } from './links.ts'
import { PASSWORD_LINK_PATH, passwordLinkMail } from './mails.ts'

const RESET_ATTEMPT_LIMIT = {
  kind: 'password',
  networks: 4,
  message: 'You are asking for too many passwords.',
} as const

/** A job looks up the account later, so that the response time does not reveal whether it exists. */
export async function requestPasswordReset(
  call: OpenCall,
  input: Input<typeof contract.requestPasswordReset>,
): Promise<Record<string, never>> {
  const log = requireOrganizationLog(call)
  const email = validEmail(input.email)
  // Limits the number of requests, like that of sign-in attempts, even for unknown addresses.
  const attempt = { organizationId: log.organization.id, name: email, user: userByEmail(log.organization, email) }
  await countAttempt(call, attempt, RESET_ATTEMPT_LIMIT)
  await log.write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivatedError()
    const { count } = await tx.db
      .selectFrom('password_requests')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', tx.organizationId)
      .executeTakeFirstOrThrow()
    if (count >= PASSWORD_REQUEST_LIMIT.most) {
      throw new ApiError('BAD_REQUEST', 'Too many password resets. Try again later.')
    }
    await tx.db
      .insertInto('password_requests')
      .values({ organization_id: tx.organizationId, id: tx.nextId(), email })
      .execute()
  })
  return {}
}

/** Does nothing if no account has the requested address, or if another process has claimed the request. */
export async function processPasswordRequest(tx: Tx, id: number, token: NewToken): Promise<void> {
  const request = await tx.db
    .deleteFrom('password_requests')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst()
  const user = request === undefined ? undefined : userByEmail(tx.organization, request.email)
  // Compares the real address, because an account's API email may have no mailbox.
  if (user === undefined || !canHavePassword(user)) return
  if (caseKey(user.deliveryEmail) !== caseKey(request?.email ?? '')) return
  // Anyone can request a link, so a new link must not end the owner's existing links.
  if (await hasMaxPasswordLinks(tx.db, tx.organizationId, user.id, tx.now)) return
  await addAccountLink(tx, { userId: user.id, newEmail: null, seconds: PASSWORD_LINK_SECONDS }, token)
  await queueMail(tx, passwordLinkMail(tx.organization, user, token.seed))
}

export async function preparePasswordLink(
  { log, actor, server }: PreparationCall,
  input: Input<typeof contract.makePasswordLink>,
): Promise<NewToken> {
  requireResettableUser(log.organization, actor, input.user_id)
  if (server.mailer.isConfigured) throw new ApiError('BAD_REQUEST', SERVER_SENDS_EMAIL_MESSAGE)
  return server.tokens.make()
}

export async function makePasswordLink(
  tx: ActorTx,
  input: Input<typeof contract.makePasswordLink>,
  made: NewToken,
  server: ServerFacts,
): Promise<Output<typeof contract.makePasswordLink>> {
  const { id, fullName } = requireResettableUser(tx.organization, tx.actor, input.user_id)
  await requireRecentConfirmation(tx)
  await addAccountLink(tx, { userId: id, newEmail: null, seconds: PASSWORD_LINK_SECONDS }, made)
  await addAuditEntry(tx, {
    kind: 'people',
    action: 'changed',
    target: { type: 'user', id, name: fullName },
    changes: [{ property: 'password_link' }],
  })
  return { password_link: `${server.urlOf(tx.organization)}${PASSWORD_LINK_PATH}${made.token}` }
}

function requireResettableUser(organization: OrganizationState, actor: Actor, userId: number): UserRow {
  const target = requireVisibleUser(organization, actor, userId)
  requireMayManage(actor, target)
  if (!canHavePassword(target)) throw new ApiError('BAD_REQUEST', 'This account has no password')
  return target
}

function canHavePassword(user: UserRow | undefined): user is UserRow {
  return user?.isActive === true && user.botType === null
}

export async function resetPassword(
  call: OpenCall,
  input: Input<typeof contract.resetPassword>,
): Promise<Output<typeof contract.resetPassword>> {
  const log = requireOrganizationLog(call)
  const digest = tokenDigest(input.token)
  // The token is checked before hashing and outside the transaction, so that a guess costs one query and takes no lock.
  const known = await requirePasswordLinkOwner(call.reads, log.organization, digest, Math.floor(Date.now() / 1000))
  const ownWords = [known.fullName, known.deliveryEmail, organizationOf(log.organization).name]
  const permit = digest.toString('hex')
  const passwordHash = await hashChosenPassword(call, { password: input.password, ownWords, permit })
  const { user, revoked, begun } = await log.write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivatedError()
    const owner = await requirePasswordLinkOwner(tx.db, tx.organization, digest, tx.now)
    await setPassword(tx, owner, passwordHash)
    const ended = await revokeAccess(tx, owner)
    // If the server sends no email, an administrator passes on the link, so using the link confirms no address.
    if (call.server.mailer.isConfigured) await recordConfirmedAddress(tx, owner)
    return { user: owner, revoked: ended, begun: await beginSessionOrSecondFactor(tx, call, owner) }
  })
  return { ...createSignInResponse(call, user, begun), revoked }
}

async function requirePasswordLinkOwner(
  db: Db,
  organization: OrganizationState,
  digest: Buffer,
  now: number,
): Promise<UserRow> {
  const link = await accountLinkByDigest(db, organization.id, digest, { purpose: 'password', now })
  const user = link === undefined ? undefined : userById(organization, link.userId)
  if (!canHavePassword(user)) throw invalidAccountLinkError()
  return user
}

export function invalidAccountLinkError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This link is no longer valid.')
}

export async function revokeOwnAccess(tx: ActorTx): Promise<Output<typeof contract.revokeOwnAccess>> {
  const sessionId = requireSessionId(tx.actor)
  await requireRecentConfirmation(tx)
  return { revoked: await revokeAccess(tx, knownUser(tx.organization, tx.actor.userId), sessionId) }
}

export type RevokedAccess = Output<typeof contract.resetPassword>['revoked']

/**
 * Revokes all access to an account, because access that an intruder added looks like the owner's own. The second factor
 * stays: it protects the account from anyone who reads its email. The caller sets the password.
 * `except`: ID of a session that stays signed in.
 */
export async function revokeAccess(tx: Tx, user: UserRow, except?: number): Promise<RevokedAccess> {
  const revoked = await revokeAccessExceptApiKeys(tx, user, except)
  const bots = await replaceApiKeys(tx, user, except === undefined)
  return { ...revoked, bot_keys: bots }
}

/** Ends all access to an account, except access with the API keys of the account and its bots. */
export async function revokeAccessExceptApiKeys(
  tx: Tx,
  user: UserRow,
  except?: number,
): Promise<Omit<RevokedAccess, 'bot_keys'>> {
  const bots = botsOf(tx.organization, user.id)
  // Push subscriptions end first, because ending a session would delete its push subscriptions without counting them.
  const pushSubscriptions = await deletePushSubscriptionsOf(tx, user.id, except)
  const sessions = await endSessionsOf(tx, user.id, except)
  await deleteKnownDevices(tx, user.id)
  return {
    sessions,
    passkeys: await deletePasskeysOf(tx, user.id),
    api_tokens: await deleteApiTokensOf(tx, user.id),
    identities: await unlinkIdentities(tx, user.id),
    // Bots can create channel addresses, too.
    channel_addresses: await deleteChannelAddressesOf(tx, [user.id, ...bots.map(({ id }) => id)]),
    push_subscriptions: pushSubscriptions,
    push_tokens: await deletePushTokensOf(tx, user.id),
    outgoing_webhooks: await pauseServices(tx, bots),
    administrator_invitations: await deleteAdministratorInvitationsOf(tx, user.id),
  }
}

/** Replaces the API keys of the user and of all their bots, even deactivated bots. Returns the number of bots. */
async function replaceApiKeys(tx: Tx, user: UserRow, endsQueues: boolean): Promise<number> {
  await renewApiKey(tx, user, endsQueues)
  const bots = botsOf(tx.organization, user.id)
  for (const bot of bots) await renewApiKey(tx, bot, true)
  return bots.length
}
