import pg from 'pg'

/** Makes messages look as if they had been sent this much longer ago. */
export async function age(
  database: pg.ClientConfig,
  organizationId: number,
  messageIds: readonly number[],
  seconds: number,
): Promise<void> {
  await execute(
    database,
    'update messages set date_sent = date_sent - $3 where organization_id = $1 and id = any($2)',
    [organizationId, messageIds, seconds],
  )
}

/** When what waits for a test to let its time come is scheduled: in the year 2096. */
export const SOME_DAY = 4_000_000_000

/**
 * Lets the time of these scheduled messages, or reminders, come now. A test that waited for a time of its own would
 * need the machine to be quick enough to be there before.
 */
export async function comeDue(
  database: pg.ClientConfig,
  table: 'scheduled_messages' | 'reminders',
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await execute(
    database,
    `update ${table} set delivery_at = extract(epoch from now())::bigint where organization_id = $1 and id = any($2)`,
    [organizationId, ids],
  )
}

async function execute(database: pg.ClientConfig, statement: string, parameters: readonly unknown[]): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement, [...parameters])
  await client.end()
}
