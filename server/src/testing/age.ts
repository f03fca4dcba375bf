import pg from 'pg'

/** Makes messages look as if they had been sent this much longer ago. */
export async function age(
  database: pg.ClientConfig,
  organizationId: number,
  messageIds: readonly number[],
  seconds: number,
): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query('update messages set date_sent = date_sent - $3 where organization_id = $1 and id = any($2)', [
    organizationId,
    messageIds,
    seconds,
  ])
  await client.end()
}
