import { randomBytes } from 'node:crypto'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import { emitCredentials } from '../../authentication/actions/emit.ts'
import { requireRecentConfirmation, requirePasswordIfAny } from '../../authentication/actions/owner.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { endSessionsOf } from '../../sessions/actions/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { knownUser, requireMayManage } from '../../users/rules/index.ts'
import { requireVisibleUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract.ts'
import { hasSecondFactor } from '../queries.ts'
import { isSecondFactorRequired } from '../rules.ts'
import {
  authenticatorSecret,
  resetCodeAttempts,
  proofFromCode,
  replaceRecoveryCodes,
  consumeProof,
  type FactorProof,
} from './codes.ts'

const SEED_BYTES = 32

interface NewFactor {
  readonly seed: Buffer
  readonly secret: Output<typeof contract.beginSecondFactor>
}

export async function prepareSecondFactor(
  call: PreparationCall,
  { password }: Input<typeof contract.beginSecondFactor>,
): Promise<NewFactor> {
  const { organization } = call.log
  const user = knownUser(organization, call.actor.userId)
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Bots cannot sign in.')
  // A stolen session alone must not lock out the account's owner.
  await requirePasswordIfAny(call, password)
  const seed = newFactorSeed()
  return {
    seed,
    secret: await authenticatorSecret(call, seed, authenticatorNames(organizationOf(organization).name, user)),
  }
}

export async function beginSecondFactor(
  tx: ActorTx,
  _input: Input<typeof contract.beginSecondFactor>,
  { seed, secret }: NewFactor,
): Promise<Output<typeof contract.beginSecondFactor>> {
  await storeUnconfirmedFactor(tx, tx.actor.userId, seed)
  return secret
}

export function newFactorSeed(): Buffer {
  return randomBytes(SEED_BYTES)
}

/** Names under which authenticator apps show the account. */
export function authenticatorNames(
  organizationName: string,
  { deliveryEmail }: UserRow,
): { issuer: string; label: string } {
  // A colon separates the two names in the URI.
  return { issuer: organizationName.replaceAll(':', ' '), label: deliveryEmail }
}

/** Stores an unconfirmed second factor. @throws ApiError if the user already has a confirmed second factor */
export async function storeUnconfirmedFactor(tx: Tx, userId: number, seed: Buffer): Promise<void> {
  if (await hasSecondFactor(tx.db, tx.organizationId, userId)) {
    throw new ApiError('BAD_REQUEST', 'Two-factor authentication is already on.')
  }
  await tx.db
    .insertInto('second_factors')
    .values({ organization_id: tx.organizationId, user_id: userId, seed, confirmed_at: null, last_step: 0 })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ seed, last_step: 0 }))
    .execute()
}

export async function confirmSecondFactor(
  tx: ActorTx,
  _input: Input<typeof contract.confirmSecondFactor>,
  proof: FactorProof,
): Promise<Output<typeof contract.confirmSecondFactor>> {
  const recoveryCodes = await confirmFactor(tx, tx.actor.userId, proof)
  await endSessionsOf(tx, tx.actor.userId, tx.actor.sessionId)
  return { recovery_codes: recoveryCodes }
}

export async function confirmFactor(tx: Tx, userId: number, proof: FactorProof): Promise<string[]> {
  if (!(await consumeProof(tx, userId, proof, true))) throw wrongCodeError()
  emitCredentials(tx, userId, 'second_factor', false, true)
  return replaceRecoveryCodes(tx, userId)
}

export async function renewRecoveryCodes(
  tx: ActorTx,
  _input: Input<typeof contract.renewRecoveryCodes>,
  proof: FactorProof,
): Promise<Output<typeof contract.renewRecoveryCodes>> {
  if (!(await consumeProof(tx, tx.actor.userId, proof))) throw wrongCodeError()
  emitCredentials(tx, tx.actor.userId, 'recovery_codes', null, null)
  return { recovery_codes: await replaceRecoveryCodes(tx, tx.actor.userId) }
}

export async function removeSecondFactor(
  tx: ActorTx,
  _input: Input<typeof contract.removeSecondFactor>,
  proof: FactorProof,
): Promise<Record<string, never>> {
  if (isSecondFactorRequired(tx.organization, tx.actor.role)) {
    throw new ApiError('BAD_REQUEST', 'This organization requires two-factor authentication.')
  }
  if (!(await consumeProof(tx, tx.actor.userId, proof))) throw wrongCodeError()
  await deleteSecondFactor(tx, tx.actor.userId)
  return {}
}

export async function removeSecondFactorOf(
  tx: ActorTx,
  input: Input<typeof contract.removeSecondFactorOf>,
): Promise<Record<string, never>> {
  const target = requireVisibleUser(tx.organization, tx.actor, input.user_id)
  requireMayManage(tx.actor, target)
  if (target.id === tx.actor.userId)
    throw new ApiError('BAD_REQUEST', 'Turn off your own two-factor authentication with a code.')
  await requireRecentConfirmation(tx)
  await deleteSecondFactor(tx, target.id)
  return {}
}

/** Removes a user's second factor, confirmed or not. The caller checks permissions. */
export async function deleteSecondFactor(tx: Tx, userId: number): Promise<void> {
  if (await hasSecondFactor(tx.db, tx.organizationId, userId)) emitCredentials(tx, userId, 'second_factor', true, false)
  for (const table of ['second_factors', 'recovery_codes'] as const) {
    await tx.db
      .deleteFrom(table)
      .where('organization_id', '=', tx.organizationId)
      .where('user_id', '=', userId)
      .execute()
  }
}

export async function proofFromOwnCode(
  call: PreparationCall,
  { code }: { readonly code: string },
): Promise<FactorProof> {
  const proof = await proofFromCode(call, call.log.organization.id, call.actor.userId, code)
  if (proof === undefined) throw wrongCodeError()
  return proof
}

export async function resetOwnCodeAttempts<Answer>(call: PreparationCall, answer: Answer): Promise<Answer> {
  await resetCodeAttempts(call, call.log.organization.id, call.actor.userId)
  return answer
}

function wrongCodeError(): ApiError {
  return new ApiError('BAD_REQUEST', 'This code is wrong or was already used.')
}
