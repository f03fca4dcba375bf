import { randomInt } from 'node:crypto'
import type { Tx } from '../../../kernel/transaction.ts'
import { RateLimitError } from '../../../platform/limits/rate.ts'
import type { Call } from '../../../platform/request.ts'
import { apiKeyDigest } from '../../authentication/queries.ts'
import { secretDigest } from '../../sessions/queries.ts'
import { RECOVERY_CODE_COUNT } from '../contract.ts'
import { secondFactorOf } from '../queries.ts'

const AUTHENTICATOR_SECRET_BYTES = 20
const MAX_TIME_STEP_DIFFERENCE = 1
const TIME_STEP_SECONDS = 30

export type FactorProof = { readonly seed: Buffer; readonly step: number } | { readonly recoveryDigest: Buffer }

export async function authenticatorSecret(
  { server }: Pick<Call, 'server'>,
  seed: Buffer,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): Promise<{ secret: string; uri: string }> {
  const totp = await makeTotp(server, seed, { issuer, label })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

async function makeTotp({ tokens }: Call['server'], seed: Buffer, names: { issuer?: string; label?: string } = {}) {
  const { Secret, TOTP } = await import('otpauth')
  const bytes = Buffer.from(await tokens.of(seed), 'base64url').subarray(0, AUTHENTICATOR_SECRET_BYTES)
  // Copies the bytes, because the memory of small buffers is shared.
  return new TOTP({
    ...names,
    secret: new Secret({ buffer: Uint8Array.from(bytes).buffer }),
    period: TIME_STEP_SECONDS,
  })
}

/** Returns undefined if an app's code is wrong. Callers pass the proof to `consumeProof`. @throws RateLimitError */
export async function proofFromCode(
  call: Pick<Call, 'server' | 'reads' | 'failedLogins'>,
  organizationId: number,
  userId: number,
  code: string,
): Promise<FactorProof | undefined> {
  const verdict = await call.failedLogins?.use(organizationId, codeAttemptsKey(organizationId, userId))
  if (verdict?.allowed === false) throw new RateLimitError(verdict, 'You are making too many attempts with codes.')
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return { recoveryDigest: recoveryDigest(code) }
  const found = await secondFactorOf(call.reads, organizationId, userId)
  if (found === undefined) return undefined
  const totp = await makeTotp(call.server, found.seed)
  const timestamp = Date.now()
  const aside = totp.validate({ token: digits, timestamp, window: MAX_TIME_STEP_DIFFERENCE })
  return aside === null
    ? undefined
    : { seed: found.seed, step: Math.floor(timestamp / 1000 / TIME_STEP_SECONDS) + aside }
}

export async function resetCodeAttempts(
  { failedLogins }: Pick<Call, 'failedLogins'>,
  organizationId: number,
  userId: number,
): Promise<void> {
  await failedLogins?.forget(organizationId, codeAttemptsKey(organizationId, userId))
}

function codeAttemptsKey(organizationId: number, userId: number): string {
  return apiKeyDigest(`second factor:${organizationId}:${userId}`)
}

/** Marks a code as used. Returns whether it was unused before. `confirms`: whether the code confirms a new factor. */
export async function consumeProof(tx: Tx, userId: number, proof: FactorProof, confirms = false): Promise<boolean> {
  if ('recoveryDigest' in proof) {
    if (confirms) return false
    const { numDeletedRows } = await tx.db
      .deleteFrom('recovery_codes')
      .where('organization_id', '=', tx.organizationId)
      .where('user_id', '=', userId)
      .where('digest', '=', proof.recoveryDigest)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }
  const { numUpdatedRows } = await tx.db
    .updateTable('second_factors')
    .set({ last_step: proof.step, ...(confirms ? { confirmed_at: tx.now } : {}) })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('seed', '=', proof.seed)
    .where('last_step', '<', proof.step)
    .where('confirmed_at', confirms ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** 32 characters, so each is worth five bits. Omits look-alike characters. */
const CODE_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS_PER_CODE = 4
const LETTERS_PER_GROUP = 4

export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode)
  await tx.db
    .deleteFrom('recovery_codes')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
  await tx.db
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({ organization_id: tx.organizationId, user_id: userId, digest: recoveryDigest(code) })),
    )
    .execute()
  return codes
}

function newRecoveryCode(): string {
  const group = (): string =>
    Array.from({ length: LETTERS_PER_GROUP }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)] ?? '').join('')
  return Array.from({ length: GROUPS_PER_CODE }, group).join('-')
}

/** Hashes a recovery code, ignoring case and separators. */
function recoveryDigest(code: string): Buffer {
  return secretDigest(code.toLowerCase().replaceAll(/[^a-z\d]/g, ''))
}
