import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenidRequest } from '../../../platform/openid/openid.ts'
import { secretDigest } from '../../sessions/queries.ts'
import { OPENID_ATTEMPT_LIMIT, OPENID_ATTEMPT_SECONDS } from '../contract.ts'

const SECRET_BYTES = 32

export function newAttemptSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Derives an attempt's values from a secret that only the browser has, so the database reveals none of them. */
export function requestOf(secret: string, redirectAddress: string): OpenidRequest {
  const derived = (purpose: string): string =>
    createHmac('sha256', secret).update(`openid ${purpose}`).digest('base64url')
  return {
    redirectAddress,
    state: derived('state'),
    nonce: derived('nonce'),
    codeVerifier: derived('code verifier'),
  }
}

/** Compares the state with this browser's request in constant time. */
export function isStateOf({ state }: OpenidRequest, given: string): boolean {
  return timingSafeEqual(secretDigest(state), secretDigest(given))
}

export async function addAttempt(tx: Tx, secret: string, invitationDigest: Buffer | null): Promise<void> {
  const digest = secretDigest(secret)
  await tx.db
    .insertInto('openid_attempts')
    .values({
      organization_id: tx.organizationId,
      digest,
      invitation_digest: invitationDigest,
      expires_at: tx.now + OPENID_ATTEMPT_SECONDS,
    })
    .execute()
  await sql`
    delete from openid_attempts where organization_id = ${tx.organizationId} and digest in (
      select digest from openid_attempts where organization_id = ${tx.organizationId}
      order by digest = ${digest} desc, expires_at desc offset ${OPENID_ATTEMPT_LIMIT.most})`.execute(tx.db)
}

/** @returns undefined if the attempt is unknown or expired */
export async function takeAttempt(
  tx: Tx,
  secret: string,
): Promise<{ readonly invitationDigest: Buffer | null } | undefined> {
  const taken = await tx.db
    .deleteFrom('openid_attempts')
    .where('organization_id', '=', tx.organizationId)
    .where('digest', '=', secretDigest(secret))
    .returning(['expires_at', 'invitation_digest'])
    .executeTakeFirst()
  return taken === undefined || taken.expires_at <= tx.now ? undefined : { invitationDigest: taken.invitation_digest }
}
