import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { OpenCall, PreparationCall } from '../../../platform/request.ts'
import { requireOrganizationLog } from '../../authentication/actions/index.ts'
import { recordConfirmation, requireSessionId } from '../../sessions/actions/index.ts'
import { signInBrowser } from '../../sessions/actions/login.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { CHALLENGE_SECONDS } from '../contract.ts'
import { isChallengeOpen, passkeyByCredential, type Passkey } from '../queries.ts'
import { addChallenge, challengeIn, newChallenge, consumeChallenge, loadWebAuthn } from './challenges.ts'
import { userHandleOf, relyingPartyOf } from './index.ts'

type Assertion = Input<typeof contract.finishPasskeyLogin>['credential']

export async function beginPasskeyLogin(call: OpenCall): Promise<Output<typeof contract.beginPasskeyLogin>> {
  const log = requireOrganizationLog(call)
  const challenge = newChallenge()
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(call.server, log.organization).rpID,
    challenge: Uint8Array.from(challenge),
    timeout: CHALLENGE_SECONDS * 1000,
    // The device chooses the account. The server names no accounts, so that no one learns which exist.
    userVerification: 'required',
  })
  await log.write((tx) => addChallenge(tx, challenge, null))
  return { options: { ...options } }
}

export async function finishPasskeyLogin(
  call: OpenCall,
  { credential }: Input<typeof contract.finishPasskeyLogin>,
): Promise<Output<typeof contract.finishPasskeyLogin>> {
  const { passkey, counter } = await verifyPasskeyAssertion(call, credential)
  return signInBrowser(call, (tx) => recordPasskeyUse(tx, passkey, counter), { waived: 'all' })
}

export async function requireOwnPasskey(
  call: PreparationCall,
  { credential }: Input<typeof contract.confirmSessionWithPasskey>,
): Promise<VerifiedAssertion> {
  requireSessionId(call.actor)
  const answered = await verifyPasskeyAssertion(call, credential)
  if (answered.passkey.userId !== call.actor.userId) throw invalidAssertionError()
  return answered
}

export async function confirmSessionWithPasskey(
  tx: ActorTx,
  _input: Input<typeof contract.confirmSessionWithPasskey>,
  { passkey, counter }: VerifiedAssertion,
): Promise<Record<string, never>> {
  await recordPasskeyUse(tx, passkey, counter)
  await recordConfirmation(tx)
  return {}
}

interface VerifiedAssertion {
  readonly passkey: Passkey
  readonly counter: number
}

/** @throws ApiError AUTHENTICATION_FAILED for everything but the first valid answer to a challenge */
async function verifyPasskeyAssertion(
  call: Pick<OpenCall, 'log' | 'reads' | 'server'>,
  credential: Assertion,
): Promise<VerifiedAssertion> {
  const log = requireOrganizationLog(call)
  const { id: organizationId } = log.organization
  const challenge = challengeIn(credential.response.clientDataJSON)
  // Checked first without the organization's lock, so that unknown challenges do not take it.
  if (!(await isChallengeOpen(call.reads, organizationId, challenge))) throw invalidAssertionError()
  // The challenge is deleted before verification, so that each answer is checked only once.
  if (!(await log.write((tx) => consumeChallenge(tx, challenge, null)))) throw invalidAssertionError()
  const passkey = await passkeyByCredential(call.reads, organizationId, Buffer.from(credential.id, 'base64url'))
  if (passkey === undefined || !matchesUserHandle(passkey, credential)) throw invalidAssertionError()
  return { passkey, counter: await verifyAndReadCounter(call, passkey, credential, challenge) }
}

function matchesUserHandle({ userId }: Passkey, { response: { userHandle } }: Assertion): boolean {
  if (userHandle === undefined || userHandle === null) return true
  return userHandleOf(userId).equals(Buffer.from(userHandle, 'base64url'))
}

async function recordPasskeyUse(tx: Tx, { id, userId }: Passkey, counter: number): Promise<UserRow> {
  const { numUpdatedRows } = await tx.db
    .updateTable('passkeys')
    .set({ counter, used_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    // Devices without a counter always send 0. A repeated counter means that one of two devices is a copy.
    .where((is) => is.or([is('counter', '<', counter), is.and([is('counter', '=', 0), is.lit(counter === 0)])]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw invalidAssertionError()
  return knownUser(tx.organization, userId)
}

/** Verifies the signature, the site, and that the device verified the user. Returns the device's counter. */
async function verifyAndReadCounter(
  call: Pick<OpenCall, 'log' | 'server'>,
  { credentialId, publicKey, counter }: Passkey,
  credential: Assertion,
  expectedChallenge: string,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { rpID, origin } = relyingPartyOf(call.server, requireOrganizationLog(call).organization)
  const { userHandle, ...response } = credential.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...response, ...(typeof userHandle === 'string' ? { userHandle } : {}) },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: { id: credentialId.toString('base64url'), publicKey: Uint8Array.from(publicKey), counter },
      requireUserVerification: true,
    })
    if (verified) return authenticationInfo.newCounter
  } catch {
    // Every invalid answer gets the same error.
  }
  throw invalidAssertionError()
}

function invalidAssertionError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This passkey is not valid here. Try again, or use your password.')
}
