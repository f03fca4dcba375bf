import type { Input, Output } from '../../../kernel/endpoint.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { countCodePoints } from '../../../kernel/schemas.ts'
import type { ActorTx, Db, TransactionDb, Tx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { addressKey, RateLimitError, rateLimiter } from '../../../platform/limits/rate.ts'
import { deleteQueuesOfUser } from '../../../platform/queues/store.ts'
import { hashPassword, isCorrectPassword } from '../../../platform/passwords/passwords.ts'
import { isGuessable, ratePassword } from '../../../platform/passwords/strength.ts'
import { deleteApiTokensOf } from '../../api-tokens/actions.ts'
import { banOf } from '../../bans/queries.ts'
import { describeBan } from '../../bans/rules.ts'
import { emitBotKey } from '../../bots/actions/emit.ts'
import { deletePushTokensOf } from '../../push/actions.ts'
import { endSessionsOf, recordConfirmation } from '../../sessions/actions/index.ts'
import { missingFactorOf } from '../../second-factors/queries.ts'
import { userByEmail, userByLogin, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { deletePushSubscriptionsCreatedBy } from '../../web-push/actions/subscriptions.ts'
import type * as contract from '../contract.ts'
import { PASSWORD_LENGTH } from '../contract.ts'
import { apiKeysProjection, credentialsOf, apiKeyDigest, newApiKey } from '../queries.ts'
import { countAttempt, recordCorrectPassword } from './attempts.ts'
import { emitCredentials } from './emit.ts'
import { requireRecentConfirmation, wrongPasswordError } from './owner.ts'

type Credentials = Output<typeof contract.fetchApiKey>

export async function addCredentials(tx: Tx, user: UserRow, passwordHash: string | null): Promise<{ apiKey: string }> {
  const apiKey = newApiKey()
  await tx.db
    .insertInto('credentials')
    .values({ organization_id: tx.organizationId, user_id: user.id, password_hash: passwordHash, api_key: apiKey })
    .execute()
  tx.change(apiKeysProjection, { userId: user.id, digest: apiKeyDigest(apiKey) })
  return { apiKey }
}

/** Also revokes the API tokens and signs out all other browsers: after a leak, people rarely know what leaked. */
export async function regenerateOwnApiKey(tx: ActorTx): Promise<Output<typeof contract.regenerateOwnApiKey>> {
  await requireRecentConfirmation(tx)
  await endSessionsOf(tx, tx.actor.userId, tx.actor.sessionId)
  await deleteApiTokensOf(tx, tx.actor.userId)
  return renewApiKey(tx, knownUser(tx.organization, tx.actor.userId))
}

/** `endsQueues`: whether the user's event queues end, too. */
export async function renewApiKey(tx: Tx, user: UserRow, endsQueues = false): Promise<{ api_key: string }> {
  const apiKey = await replaceApiKey(tx, user, endsQueues)
  if (user.botType !== null) emitBotKey(tx, user, apiKey)
  return { api_key: apiKey }
}

/** The caller notifies clients. `endsQueues`: whether the user's event queues end, too. */
export async function replaceApiKey(tx: Tx, user: UserRow, endsQueues = false): Promise<string> {
  const apiKey = newApiKey()
  if (endsQueues) await deleteQueuesOfUser(tx, user.id)
  await deletePushSubscriptionsCreatedBy(tx, user.id, 'key')
  await deletePushTokensOf(tx, user.id)
  await tx.db
    .updateTable('credentials')
    .set({ api_key: apiKey })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', user.id)
    .execute()
  tx.change(apiKeysProjection, { userId: user.id, digest: apiKeyDigest(apiKey), endsQueues })
  return apiKey
}

/** Hashing is slow on purpose, so call this before the transaction. */
export async function hashNewPassword(password: string): Promise<string> {
  requirePasswordLength(password)
  return hashPassword(password)
}

function requirePasswordLength(password: string): void {
  const length = countCodePoints(password)
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) {
    throw new ApiError(
      'BAD_REQUEST',
      `The password must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`,
    )
  }
}

/** Clients show the strength while people type, so people need few attempts. */
const weakPasswordLimiter = rateLimiter({ count: 20, seconds: 600 })

export interface ChosenPassword {
  readonly password: string
  /** Names and addresses that other people know; a password must not be based on them. */
  readonly ownWords: readonly string[]
  /** Identifies the right to set a password, e.g. a token's digest. Attempts are limited per right and IP address. */
  readonly permit: string
}

/** @throws ApiError BAD_REQUEST for a weak password; RATE_LIMIT_HIT after too many weak passwords */
export async function hashChosenPassword(
  { address }: Pick<OpenCall, 'address'>,
  { password, ownWords, permit }: ChosenPassword,
): Promise<string> {
  requirePasswordLength(password)
  const who = addressKey(address)
  const attempts = `${permit} ${who}`
  const verdict = weakPasswordLimiter.peek(attempts)
  if (!verdict.allowed) throw new RateLimitError(verdict, 'You have tried too many weak passwords.')
  if (await isGuessable(password, ownWords, who)) {
    weakPasswordLimiter.use(attempts)
    throw new ApiError('BAD_REQUEST', 'This password is too easy to guess. Choose a longer one made of several words.')
  }
  return hashPassword(password, who)
}

export async function estimatePassword(
  { address }: OpenCall,
  { password, own_words: ownWords }: Input<typeof contract.estimatePassword>,
): Promise<Output<typeof contract.estimatePassword>> {
  if (countCodePoints(password) < PASSWORD_LENGTH.min) return { strength: 'weak', weakness: 'short' }
  return ratePassword(password, ownWords, addressKey(address))
}

export async function fetchApiKey(call: OpenCall, input: Input<typeof contract.fetchApiKey>): Promise<Credentials> {
  const { user, apiKey } = await checkPassword(call, input)
  // An API key gives full access, so a password is not enough to get the key of an account with a second factor.
  if ((await missingFactorOf(call.reads, requireOrganizationLog(call).organization, user)) !== undefined) {
    throw new ApiError(
      'PASSWORD_AUTH_DISABLED',
      'This account uses two-factor authentication. Sign in with a browser to get an API key.',
    )
  }
  return { api_key: apiKey, email: user.deliveryEmail, user_id: user.id }
}

const LOGIN_ATTEMPT_LIMIT = {
  kind: 'login',
  networks: 20,
  message: 'You are making too many attempts to sign in.',
} as const

/** Accepts only the real address: with the API email as a second name, attackers would get twice as many guesses. */
function userByRealAddress(organization: OrganizationState, address: string): UserRow | undefined {
  const user = userByEmail(organization, address)
  return user !== undefined && caseKey(user.deliveryEmail) === caseKey(address) ? user : undefined
}

/** Takes the same time for unknown names. @throws ApiError AUTHENTICATION_FAILED, USER_DEACTIVATED, RATE_LIMIT_HIT */
export async function checkPassword(
  call: OpenCall,
  input: { username: string; password: string },
): Promise<{ user: UserRow; apiKey: string; passwordHash: string }> {
  const log = requireOrganizationLog(call)
  const { id: organizationId } = log.organization
  const user = userByRealAddress(log.organization, input.username)
  const attempt = { organizationId, name: input.username, user }
  // The attempt is counted before the check, so that parallel attempts cannot bypass the limit.
  await countAttempt(call, attempt, LOGIN_ATTEMPT_LIMIT)
  // No user has ID 0: an unknown name costs the same work as a known one.
  const stored = await credentialsOf(call.reads, organizationId, user?.id ?? 0)
  const passwordHash = stored?.password_hash ?? null
  const matches = await isCorrectPassword(passwordHash, input.password, addressKey(call.address))
  if (user === undefined || stored === undefined || passwordHash === null || !matches) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
  }
  await recordCorrectPassword(call, attempt)
  if (!user.isActive) throw await accountEndedError(call.reads, organizationId, user, stored.deactivation_comment)
  return { user, apiKey: stored.api_key, passwordHash }
}

/** For people who have signed in: others must not learn of a ban. */
export async function accountEndedError(
  db: Db | TransactionDb,
  organizationId: number,
  { id }: Pick<UserRow, 'id'>,
  comment: string | null = null,
): Promise<ApiError> {
  const ban = await banOf(db, organizationId, id)
  if (ban !== undefined) return new ApiError('USER_DEACTIVATED', describeBan(ban))
  if (comment === null) return new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return new ApiError('USER_DEACTIVATED', `Account is deactivated. Message from the administrators: ${comment}`)
}

export async function storeDeactivationComment(tx: Tx, userId: number, comment: string | null): Promise<void> {
  await tx.db
    .updateTable('credentials')
    .set({ deactivation_comment: comment })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

export async function devFetchApiKey(
  call: OpenCall,
  input: Input<typeof contract.devFetchApiKey>,
): Promise<Credentials> {
  if (!call.server.development) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
  const log = requireOrganizationLog(call)
  const user = userByLogin(log.organization, input.username)
  const stored = user === undefined ? undefined : await credentialsOf(call.reads, log.organization.id, user.id)
  if (user === undefined || stored === undefined) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
  }
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return { api_key: stored.api_key, email: user.deliveryEmail, user_id: user.id }
}

export function requireOrganizationLog(call: Pick<OpenCall, 'log'>): NonNullable<OpenCall['log']> {
  if (call.log === undefined) throw new ApiError('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
  return call.log
}

export async function changePassword(tx: ActorTx, password: { old: string; new: string }): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('credentials')
    .set({ password_hash: password.new })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('password_hash', '=', password.old)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw wrongPasswordError()
  emitCredentials(tx, tx.actor.userId, 'password', null, null)
  await endSessionsOf(tx, tx.actor.userId, tx.actor.sessionId)
  await deleteApiTokensOf(tx, tx.actor.userId)
  if (tx.actor.sessionId !== undefined) await recordConfirmation(tx)
}

export async function removePassword(tx: Tx, user: UserRow): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('credentials')
    .set({ password_hash: null })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', user.id)
    .where('password_hash', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) emitCredentials(tx, user.id, 'password', true, null)
}

export async function setPassword(tx: Tx, user: UserRow, passwordHash: string): Promise<void> {
  await tx.db
    .updateTable('credentials')
    .set({ password_hash: passwordHash })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', user.id)
    .execute()
  emitCredentials(tx, user.id, 'password', null, null)
}
