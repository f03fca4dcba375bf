import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createYielder } from '../../../kernel/pauses.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { secretDigest } from '../../sessions/queries.ts'
import { CHALLENGE_LIMIT, CHALLENGE_SECONDS } from '../contract.ts'

const CHALLENGE_BYTES = 32

export function newChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES)
}

/** `challenge` is in base64url, as devices return it. */
function challengeDigest(challenge: string): Buffer {
  return secretDigest(challenge)
}

export async function addChallenge(tx: Tx, challenge: Buffer, userId: number | null): Promise<void> {
  const digest = challengeDigest(challenge.toString('base64url'))
  await tx.db
    .insertInto('passkey_challenges')
    .values({ organization_id: tx.organizationId, digest, user_id: userId, expires_at: tx.now + CHALLENGE_SECONDS })
    .execute()
  await sql`
    delete from passkey_challenges where organization_id = ${tx.organizationId} and digest <> ${digest} and expires_at <= (
      select expires_at from passkey_challenges where organization_id = ${tx.organizationId}
      order by expires_at desc offset ${CHALLENGE_LIMIT.most} limit 1)`.execute(tx.db)
}

export async function consumeChallenge(tx: Tx, challenge: string, userId: number | null): Promise<boolean> {
  const taken = await tx.db
    .deleteFrom('passkey_challenges')
    .where('organization_id', '=', tx.organizationId)
    .where('digest', '=', challengeDigest(challenge))
    .where('user_id', userId === null ? 'is' : '=', userId)
    .returning('expires_at')
    .executeTakeFirst()
  return taken !== undefined && taken.expires_at > tx.now
}

export function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const isObject = typeof data === 'object' && data !== null && 'challenge' in data
    return isObject && typeof data.challenge === 'string' ? data.challenge : ''
  } catch {
    return ''
  }
}

export const ATTESTATION_FORMATS = [
  'fido-u2f',
  'packed',
  'android-safetynet',
  'android-key',
  'tpm',
  'apple',
  'none',
  'mds',
] as const

/** Removes the library's root certificates, with which it would fetch URLs that an attacker can choose. */
export async function loadWebAuthn() {
  // Loading all packages at once would block the event loop for 130 ms.
  const pause = createYielder()
  await import('reflect-metadata')
  await import('@peculiar/asn1-schema')
  await pause()
  await import('@peculiar/asn1-x509')
  await pause()
  await import('@peculiar/x509')
  await pause()
  const library = await import('@simplewebauthn/server')
  for (const identifier of ATTESTATION_FORMATS)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  return library
}
