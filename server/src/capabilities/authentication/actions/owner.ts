import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { addressKey, RateLimitHit } from '../../../platform/limits/rate.ts'
import { isPassword } from '../../../platform/passwords/passwords.ts'
import { readerOf, type Preparation } from '../../../platform/request.ts'
import { passkeysOf } from '../../passkeys/queries.ts'
import { CONFIRMED_SECONDS } from '../../sessions/contract.ts'
import { confirmedAt } from '../../sessions/queries.ts'
import { credentialsOf, digestOf } from '../queries.ts'

/** @returns the hash of the actor's password, for `changePassword` */
export async function requirePassword(call: Preparation, password: string): Promise<string> {
  const hash = await ownPasswordHash(call)
  if (hash === null || !(await isOwnPassword(call, hash, password))) throw wrongPassword()
  return hash
}

/**
 * Checks the actor's password. If the account has none, because it signs in only through an identity provider, requires
 * a recent sign-in.
 */
export async function requirePasswordIfAny(call: Preparation, password: string): Promise<void> {
  const hash = await ownPasswordHash(call)
  if (hash === null) await requireConfirmed(readerOf(call))
  else if (!(await isOwnPassword(call, hash, password))) throw wrongPassword()
}

/**
 * Rejects a browser without a recent sign-in or confirmation: a stolen session must not create access that outlives it.
 * Programs pass, because the API key already gives full access.
 */
export async function requireConfirmed({
  db,
  organizationId,
  actor: { userId, sessionId },
  now,
}: Pick<Reader, 'db' | 'organizationId' | 'actor' | 'now'>): Promise<void> {
  if (sessionId === undefined) return
  if (now - (await confirmedAt(db, organizationId, sessionId)) < CONFIRMED_SECONDS) return
  const stored = await credentialsOf(db, organizationId, userId)
  const hasPasskey = (await passkeysOf(db, organizationId, userId)).length > 0
  throw new ApiError('CONFIRMATION_REQUIRED', 'Confirm your identity.', {
    methods: [...((stored?.password_hash ?? null) === null ? [] : ['password']), ...(hasPasskey ? ['passkey'] : [])],
  })
}

async function ownPasswordHash(call: Preparation): Promise<string | null> {
  const stored = await credentialsOf(call.reads, call.log.organization.id, call.actor.userId)
  return stored?.password_hash ?? null
}

/** Counts attempts by user, so that an open session cannot be used to guess the password. */
async function isOwnPassword(call: Preparation, hash: string, password: string): Promise<boolean> {
  const { id: organizationId } = call.log.organization
  const attempt = digestOf(`own password:${organizationId}:${call.actor.userId}`)
  const verdict = await call.failedLogins?.use(organizationId, attempt)
  if (verdict?.allowed === false) throw new RateLimitHit(verdict, 'You are making too many attempts with passwords.')
  const matches = await isPassword(hash, password, addressKey(call.address))
  if (matches) await call.failedLogins?.forget(organizationId, attempt)
  return matches
}

export function wrongPassword(): ApiError {
  return new ApiError('BAD_REQUEST', 'Wrong password!')
}
