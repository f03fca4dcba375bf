import type { ActorTx } from '../../kernel/transaction.ts'
import { execute } from '../../platform/db/database.ts'

/** Marks messages read by the actor. Each covers the interval from the message before it in its topic. */
export async function markRead(tx: ActorTx, messageIds: readonly number[]): Promise<void> {
  await execute(
    tx.db,
    `with span as (
       select m.topic_id, int8range(coalesce((
         select p.id from messages p
         where p.organization_id = $1 and p.topic_id = m.topic_id and p.id < m.id order by p.id desc limit 1), 0) + 1,
         m.id + 1) as span
       from messages m where m.organization_id = $1 and m.id = any($3::bigint[]))
     insert into topic_reads as x (organization_id, user_id, topic_id, read)
     select $1, $2, topic_id, range_agg(span) from span group by topic_id order by topic_id
     on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`,
    [tx.organizationId, tx.actor.userId, messageIds],
  )
}

/** Marks messages unread by the actor: each takes its own position out of both levels. */
export async function markUnread(tx: ActorTx, messageIds: readonly number[]): Promise<void> {
  const parameters = [tx.organizationId, tx.actor.userId, messageIds]
  await execute(
    tx.db,
    `update user_reads u set read = u.read - gone.read
     from (select range_agg(int8range(id, id + 1)) as read from unnest($3::bigint[]) as id) gone
     where u.organization_id = $1 and u.user_id = $2 and u.read && gone.read`,
    parameters,
  )
  await execute(
    tx.db,
    `update topic_reads r set read = r.read - gone.read
     from (select m.topic_id, range_agg(int8range(m.id, m.id + 1)) as read from messages m
           where m.organization_id = $1 and m.id = any($3::bigint[]) group by m.topic_id) gone
     where r.organization_id = $1 and r.user_id = $2 and r.topic_id = gone.topic_id and r.read && gone.read`,
    parameters,
  )
}
