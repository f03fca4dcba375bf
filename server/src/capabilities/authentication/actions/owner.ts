import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { addressKey, RateLimitError } from '../../../platform/limits/rate.ts'
import { isCorrectPassword } from '../../../platform/passwords/passwords.ts'
import { readerOf, type PreparationCall } from '../../../platform/request.ts'
import { passkeysOf } from '../../passkeys/queries.ts'
import { CONFIRMATION_VALIDITY_SECONDS } from '../../sessions/contract.ts'
import { confirmedAt } from '../../sessions/queries.ts'
import { credentialsOf, apiKeyDigest } from '../queries.ts'

/** Requires the actor's password. Returns its hash, for `changePassword`. */
export async function requirePassword(call: PreparationCall, password: string): Promise<string> {
  const hash = await ownPasswordHash(call)
  if (hash === null || !(await isOwnPassword(call, hash, password))) throw wrongPasswordError()
  return hash
}

/** Requires the password, or a recent sign-in if the account has no password because it uses an identity provider. */
export async function requirePasswordIfAny(call: PreparationCall, password: string): Promise<void> {
  const hash = await ownPasswordHash(call)
  if (hash === null) await requireRecentConfirmation(readerOf(call))
  else if (!(await isOwnPassword(call, hash, password))) throw wrongPasswordError()
}

type ConfirmationContext = Pick<Reader, 'db' | 'organizationId' | 'actor' | 'now'>

/** Whether a session was confirmed recently: a stolen session must not create lasting access. API keys always pass. */
export async function isRecentlyConfirmed({ db, organizationId, actor, now }: ConfirmationContext): Promise<boolean> {
  const { sessionId } = actor
  return (
    sessionId === undefined || now - (await confirmedAt(db, organizationId, sessionId)) < CONFIRMATION_VALIDITY_SECONDS
  )
}

/** @throws ApiError CONFIRMATION_REQUIRED */
export async function requireRecentConfirmation(context: ConfirmationContext): Promise<void> {
  if (await isRecentlyConfirmed(context)) return
  const { db, organizationId, actor } = context
  const { userId } = actor
  const stored = await credentialsOf(db, organizationId, userId)
  const hasPasskey = (await passkeysOf(db, organizationId, userId)).length > 0
  throw new ApiError('CONFIRMATION_REQUIRED', 'Confirm your identity.', {
    methods: [...((stored?.password_hash ?? null) === null ? [] : ['password']), ...(hasPasskey ? ['passkey'] : [])],
  })
}

async function ownPasswordHash(call: PreparationCall): Promise<string | null> {
  const stored = await credentialsOf(call.reads, call.log.organization.id, call.actor.userId)
  return stored?.password_hash ?? null
}

/** Counts attempts by user, so that a stolen session cannot be used to guess the password. */
async function isOwnPassword(call: PreparationCall, hash: string, password: string): Promise<boolean> {
  const { id: organizationId } = call.log.organization
  const attempt = apiKeyDigest(`own password:${organizationId}:${call.actor.userId}`)
  const verdict = await call.failedLogins?.use(organizationId, attempt)
  if (verdict?.allowed === false) throw new RateLimitError(verdict, 'You are making too many attempts with passwords.')
  const matches = await isCorrectPassword(hash, password, addressKey(call.address))
  if (matches) await call.failedLogins?.forget(organizationId, attempt)
  return matches
}

export function wrongPasswordError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Wrong password!')
}
