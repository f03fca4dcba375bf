import type { Db } from '../../../kernel/transaction.ts'

/** Backdates all messages over the last days, for demos. No client may have seen them yet. */
export async function spreadOverDays(db: Db, days: number): Promise<void> {
  await db.rows(
    'spread_over_days',
    `update messages set date_sent = date_sent - $1::bigint * (last.id - messages.id) / last.id
     from (select max(id) as id from messages) last`,
    [days * 86_400],
  )
}
