import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { emitCredentials } from '../../authentication/actions/emit.ts'
import { requirePasswordIfAny } from '../../authentication/actions/owner.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { CHALLENGE_SECONDS, PASSKEY_LIMIT } from '../contract.ts'
import { passkeysOf } from '../queries.ts'
import { addChallenge, challengeIn, newChallenge, consumeChallenge, loadWebAuthn } from './challenges.ts'

export function relyingPartyOf(server: Pick<ServerFacts, 'urlOf'>, organization: OrganizationState) {
  const { hostname, origin } = new URL(server.urlOf(organization))
  return { rpID: hostname, origin }
}

/** Returns the WebAuthn user handle, which must not contain personal data. */
export function userHandleOf(userId: number): Buffer {
  return Buffer.from(String(userId))
}

interface PreparedRegistration {
  readonly challenge: Buffer
  readonly options: Output<typeof contract.beginPasskey>['options']
}

export async function prepareRegistration(
  call: PreparationCall,
  { password }: Input<typeof contract.beginPasskey>,
): Promise<PreparedRegistration> {
  const { organization } = call.log
  const user = knownUser(organization, call.actor.userId)
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Bots cannot sign in.')
  // A stolen session alone must not create lasting access.
  await requirePasswordIfAny(call, password)
  const known = await passkeysOf(call.reads, organization.id, user.id)
  requirePasskeyCapacity(known.length)
  const challenge = newChallenge()
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: organizationOf(organization).name,
    rpID: relyingPartyOf(call.server, organization).rpID,
    userID: Uint8Array.from(userHandleOf(user.id)),
    userName: user.deliveryEmail,
    userDisplayName: user.fullName,
    challenge: Uint8Array.from(challenge),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challenge, options: { ...options } }
}

export async function beginPasskey(
  tx: ActorTx,
  _input: Input<typeof contract.beginPasskey>,
  { challenge, options }: PreparedRegistration,
): Promise<Output<typeof contract.beginPasskey>> {
  await addChallenge(tx, challenge, tx.actor.userId)
  return { options }
}

interface CheckedPasskey {
  readonly name: string
  readonly made: VerifiedPasskey
}

export async function checkPasskey(
  call: PreparationCall,
  { name: given, credential }: Input<typeof contract.createPasskey>,
): Promise<CheckedPasskey> {
  const { userId } = call.actor
  const name = validatePasskeyName(given)
  const challenge = challengeIn(credential.response.clientDataJSON)
  // The challenge is deleted before verification, so that each answer is checked only once.
  if (!(await call.log.act(call.actor, (tx) => consumeChallenge(tx, challenge, userId)))) throw invalidPasskeyError()
  return { name, made: await verifyRegistration(call, credential, challenge) }
}

export async function createPasskey(
  tx: ActorTx,
  _input: Input<typeof contract.createPasskey>,
  { name, made }: CheckedPasskey,
): Promise<Output<typeof contract.createPasskey>> {
  return { passkey_id: await addPasskey(tx, name, made) }
}

type VerifiedPasskey = Awaited<ReturnType<typeof verifyRegistration>>

async function verifyRegistration(
  call: PreparationCall,
  credential: Input<typeof contract.createPasskey>['credential'],
  expectedChallenge: string,
) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { rpID, origin } = relyingPartyOf(call.server, call.log.organization)
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      // Safe: the library types transports by name, and unknown names do no harm.
      response: { ...credential, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    if (registrationInfo !== undefined) return registrationInfo.credential
  } catch {
    // Every invalid answer gets the same error.
  }
  throw invalidPasskeyError()
}

async function addPasskey(
  tx: ActorTx,
  name: string,
  { id, publicKey, counter, transports = [] }: VerifiedPasskey,
): Promise<number> {
  const { userId } = tx.actor
  requirePasskeyCapacity((await passkeysOf(tx.db, tx.organizationId, userId)).length)
  const passkeyId = tx.nextId()
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('passkeys')
    .values({
      organization_id: tx.organizationId,
      id: passkeyId,
      user_id: userId,
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      counter,
      transports: [...transports],
      name,
      created_at: tx.now,
      used_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw invalidPasskeyError()
  emitCredentials(tx, userId, 'passkey', null, name)
  return passkeyId
}

export async function renamePasskey(
  tx: ActorTx,
  { passkey_id: id, name }: Input<typeof contract.renamePasskey>,
): Promise<Record<string, never>> {
  const { numUpdatedRows } = await tx.db
    .updateTable('passkeys')
    .set({ name: validatePasskeyName(name) })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw unknownPasskeyError()
  return {}
}

/** A stolen session alone must not remove a passkey, which would force its owner back to the password. */
export async function requirePasskeyOwner(
  call: PreparationCall,
  { password }: Input<typeof contract.removePasskey>,
): Promise<void> {
  await requirePasswordIfAny(call, password)
}

export async function removePasskey(
  tx: ActorTx,
  { passkey_id: id }: Input<typeof contract.removePasskey>,
): Promise<Record<string, never>> {
  const removed = await tx.db
    .deleteFrom('passkeys')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (removed === undefined) throw unknownPasskeyError()
  emitCredentials(tx, tx.actor.userId, 'passkey', removed.name, null)
  return {}
}

function validatePasskeyName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new ApiError('BAD_REQUEST', 'A passkey must have a name.')
  return trimmed
}

function requirePasskeyCapacity(count: number): void {
  if (count >= PASSKEY_LIMIT.most)
    throw new ApiError('BAD_REQUEST', `You can have at most ${PASSKEY_LIMIT.most} passkeys.`)
}

function unknownPasskeyError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Invalid passkey ID')
}

function invalidPasskeyError(): ApiError {
  return new ApiError('BAD_REQUEST', 'No passkey was created for this account. Try again.')
}

export async function deletePasskeysOf(tx: Tx, userId: number): Promise<number> {
  const gone = await tx.db
    .deleteFrom('passkeys')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .returning('name')
    .execute()
  for (const { name } of gone) emitCredentials(tx, userId, 'passkey', name, null)
  return gone.length
}
