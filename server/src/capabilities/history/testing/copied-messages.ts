import type { Pool } from 'pg'

/** Inserts copies of a message of the newest organization, with later IDs. It can send no more messages. */
export async function copyMessage(pool: Pool, id: number, { from, to }: { from: number; to: number }): Promise<void> {
  await pool.query(
    `insert into messages
       (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content, date_sent, client, terms)
     select organization_id, id + n, channel_id, topic_id, sender_id, content, rendered_content, date_sent, client, terms
     from messages cross join generate_series($2::int, $3::int) as n
     where id = $1 and organization_id = (select max(id) from organizations)`,
    [id, from, to],
  )
}
