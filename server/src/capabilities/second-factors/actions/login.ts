import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { emitCredentials } from '../../authentication/actions/emit.ts'
import { requireOrganizationLog } from '../../authentication/actions/index.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { signInBrowser } from '../../sessions/actions/login.ts'
import { secretDigest } from '../../sessions/queries.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { missingFactorOf, userOfPendingLogin } from '../queries.ts'
import {
  authenticatorSecret,
  resetCodeAttempts,
  proofFromCode,
  replaceRecoveryCodes,
  consumeProof,
  type FactorProof,
} from './codes.ts'
import { authenticatorNames, newFactorSeed, storeUnconfirmedFactor } from './index.ts'
import { consumePendingLogin } from './pending.ts'

export async function finishLogin(
  call: OpenCall,
  { token, code }: Input<typeof contract.finishLogin>,
): Promise<Output<typeof contract.finishLogin>> {
  return continueLogin(call, { token, code }, async (tx, userId, proof) => {
    if (!(await consumeProof(tx, userId, proof))) throw wrongCodeError()
  })
}

export async function beginRequiredSecondFactor(
  call: OpenCall,
  { token }: Input<typeof contract.beginRequiredSecondFactor>,
): Promise<Output<typeof contract.beginRequiredSecondFactor>> {
  const log = requireOrganizationLog(call)
  const userId = await requirePendingLogin(call, token)
  const user = knownUser(log.organization, userId)
  const seed = newFactorSeed()
  const secret = await authenticatorSecret(call, seed, authenticatorNames(organizationOf(log.organization).name, user))
  await log.write(async (tx) => {
    // Users with a second factor must enter a code, and users with a passkey must use it.
    if ((await missingFactorOf(tx.db, tx.organization, knownUser(tx.organization, userId))) !== 'setup')
      throw invalidLoginTokenError()
    await storeUnconfirmedFactor(tx, userId, seed)
  })
  return secret
}

export async function confirmRequiredSecondFactor(
  call: OpenCall,
  { token, code }: Input<typeof contract.confirmRequiredSecondFactor>,
): Promise<Output<typeof contract.confirmRequiredSecondFactor>> {
  let recoveryCodes: string[] = []
  const signedIn = await continueLogin(call, { token, code }, async (tx, userId, proof) => {
    if (!(await consumeProof(tx, userId, proof, true))) throw wrongCodeError()
    emitCredentials(tx, userId, 'second_factor', false, true)
    recoveryCodes = await replaceRecoveryCodes(tx, userId)
  })
  return { ...signedIn, recovery_codes: recoveryCodes }
}

/** Completes a sign-in with a token and a code, and consumes both. */
async function continueLogin(
  call: OpenCall,
  { token, code }: { readonly token: string; readonly code: string },
  use: (tx: Tx, userId: number, proof: FactorProof) => Promise<void>,
): Promise<Output<typeof contract.finishLogin>> {
  const { id: organizationId } = requireOrganizationLog(call).organization
  const userId = await requirePendingLogin(call, token)
  const proof = await proofFromCode(call, organizationId, userId, code)
  if (proof === undefined) throw wrongCodeError()
  const isAll = async (tx: Tx): Promise<UserRow> => {
    if ((await consumePendingLogin(tx, secretDigest(token))) !== userId) throw invalidLoginTokenError()
    await use(tx, userId, proof)
    return knownUser(tx.organization, userId)
  }
  const signedIn = await signInBrowser(call, isAll, { waived: 'all' })
  await resetCodeAttempts(call, organizationId, userId)
  return signedIn
}

/** Looks up a token without the organization's lock. All invalid tokens get the same error. */
async function requirePendingLogin(call: OpenCall, token: string): Promise<number> {
  const { id: organizationId } = requireOrganizationLog(call).organization
  const now = Math.floor(Date.now() / 1000)
  const userId = await userOfPendingLogin(call.reads, organizationId, secretDigest(token), now)
  if (userId === undefined) throw invalidLoginTokenError()
  return userId
}

function invalidLoginTokenError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'The sign-in expired. Sign in again.')
}

function wrongCodeError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This code is wrong or was already used.')
}
