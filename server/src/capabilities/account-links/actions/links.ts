import { sql } from 'kysely'
import type { Tx } from '../../../kernel/transaction.ts'
import type { NewToken } from '../../../platform/tokens/tokens.ts'
import { takeBackMails } from '../../mail/actions/index.ts'
import { ACCOUNT_LINK_LIMIT } from '../contract.ts'

interface NewLink {
  readonly userId: number
  /** Null for a link to another password. */
  readonly newEmail: string | null
  readonly seconds: number
}

/** Puts a link down; of too many of its kind, the oldest ends. Whether it may be made is the caller's business. */
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
  await takeBackMails(
    tx,
    rows.map((ended) => ended.seed),
  )
}

/** When a link ended that was good until then. */
const ENDED = 0

/**
 * Ends all links of a user, with the e-mails that were not sent yet. The rows stay until the job takes them away: they say to how
 * many addresses the user has lately had e-mails sent.
 */
export async function endAccountLinks(tx: Tx, userId: number): Promise<void> {
  const ended = await tx.db
    .updateTable('account_links')
    .set({ expires_at: ENDED })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', ENDED)
    .returning('seed')
    .execute()
  await takeBackMails(
    tx,
    ended.map(({ seed }) => seed),
  )
}
