import type { Db } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import type { OpenidIdentity } from '../../platform/openid/openid.ts'
import { secretDigest } from '../sessions/queries.ts'

const ACCOUNT_OF_IDENTITY = `
  select user_id as "userId" from openid_identities where organization_id = $1 and issuer = $2 and subject = $3`

export async function accountOfIdentity(
  db: Db,
  organizationId: number,
  { issuer, subject }: Pick<OpenidIdentity, 'issuer' | 'subject'>,
): Promise<number | undefined> {
  const [row] = await db.rows<{ userId: number }>('openid_account', ACCOUNT_OF_IDENTITY, [
    organizationId,
    issuer,
    subject,
  ])
  return row?.userId
}

const UNEXPIRED_ATTEMPT = `
  select 1 from openid_attempts where organization_id = $1 and digest = $2 and expires_at > $3`

export async function isAttemptOpen(db: Db, organizationId: number, secret: string): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000)
  return (await db.rows('openid_attempt', UNEXPIRED_ATTEMPT, [organizationId, secretDigest(secret), now])).length > 0
}

const EXPIRED_ATTEMPTS = `
  select distinct organization_id as "organizationId", 0 as id from openid_attempts where expires_at <= $1 limit 100`

export async function organizationsWithExpiredAttempts(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('openid_attempts_over', EXPIRED_ATTEMPTS, [now])
}
