import type { Db } from '../../../kernel/transaction.ts'

/**
 * Dates all messages of a database as if they had been written over some days until now. It is for demonstrations: no
 * client may have seen the messages yet.
 */
export async function spreadOverDays(db: Db, days: number): Promise<void> {
  await db.rows(
    'spread_over_days',
    `update messages set date_sent = date_sent - $1::bigint * (last.id - messages.id) / last.id
     from (select max(id) as id from messages) last`,
    [days * 86_400],
  )
}
