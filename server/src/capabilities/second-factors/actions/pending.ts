import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../kernel/transaction.ts'
import { secretDigest } from '../../sessions/queries.ts'
import { PENDING_LOGIN_LIMIT, PENDING_LOGIN_SECONDS } from '../contract.ts'

const PENDING_LOGIN_SECRET_BYTES = 32

export async function addPendingLogin(tx: Tx, userId: number): Promise<string> {
  const token = randomBytes(PENDING_LOGIN_SECRET_BYTES).toString('base64url')
  const digest = secretDigest(token)
  await tx.db
    .insertInto('pending_logins')
    .values({
      organization_id: tx.organizationId,
      digest,
      user_id: userId,
      expires_at: tx.now + PENDING_LOGIN_SECONDS,
    })
    .execute()
  await sql`
    delete from pending_logins where organization_id = ${tx.organizationId} and digest in (
      select digest from pending_logins where organization_id = ${tx.organizationId} and user_id = ${userId}
      order by digest = ${digest} desc, expires_at desc offset ${PENDING_LOGIN_LIMIT.most})`.execute(tx.db)
  return token
}

export async function consumePendingLogin(tx: Tx, digest: Buffer): Promise<number | undefined> {
  const taken = await tx.db
    .deleteFrom('pending_logins')
    .where('organization_id', '=', tx.organizationId)
    .where('digest', '=', digest)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()
  return taken === undefined || taken.expires_at <= tx.now ? undefined : taken.user_id
}

export async function deletePendingLogins(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('pending_logins')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}
