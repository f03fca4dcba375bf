import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { NewToken } from '../../../platform/tokens/tokens.ts'
import { cancelMails } from '../../mail/actions/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { ACCOUNT_LINK_LIMIT } from '../contract.ts'

interface NewLink {
  readonly userId: number
  readonly newEmail: string | null
  readonly seconds: number
}

/** Adds a link, and deletes the user's oldest links of the same kind beyond the limit. */
export async function addAccountLink(tx: Tx, link: NewLink, { seed, digest }: NewToken): Promise<void> {
  await tx.db
    .insertInto('account_links')
    .values({
      organization_id: tx.organizationId,
      digest,
      seed,
      user_id: link.userId,
      new_email: link.newEmail,
      made_at: tx.now,
      expires_at: tx.now + link.seconds,
    })
    .execute()
  const { rows } = await sql<{ seed: Buffer }>`
    delete from account_links where organization_id = ${tx.organizationId} and digest in (
      select digest from account_links where organization_id = ${tx.organizationId} and user_id = ${link.userId}
        and (new_email is null) = ${link.newEmail === null}
      order by digest = ${digest} desc, made_at desc offset ${ACCOUNT_LINK_LIMIT.most})
    returning seed`.execute(tx.db)
  await cancelMails(
    tx,
    rows.map((ended) => ended.seed),
  )
}

const REVOKED_LINK_EXPIRES_AT = 0

/** Revokes a user's links, and cancels their emails. Keeps the links' rows, which count toward a limit on emails. */
export async function revokeAccountLinks(tx: Tx, userId: number): Promise<void> {
  const ended = await tx.db
    .updateTable('account_links')
    .set({ expires_at: REVOKED_LINK_EXPIRES_AT })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', REVOKED_LINK_EXPIRES_AT)
    .returning('seed')
    .execute()
  await cancelMails(
    tx,
    ended.map(({ seed }) => seed),
  )
}

export async function recordConfirmedAddress(
  tx: Tx,
  { id, deliveryEmail }: Pick<UserRow, 'id' | 'deliveryEmail'>,
): Promise<void> {
  const email_key = caseKey(deliveryEmail)
  await tx.db
    .insertInto('confirmed_addresses')
    .values({ organization_id: tx.organizationId, user_id: id, email_key })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ email_key }))
    .execute()
}
