import pg from 'pg'
import type { Answer } from './user.ts'

/** Seconds until the initially requested time. */
const SOON_SECONDS = 3

export async function ageMessages(
  database: pg.ClientConfig,
  organizationId: number,
  messageIds: readonly number[],
  seconds: number,
): Promise<void> {
  await executeStatement(
    database,
    'update messages set date_sent = date_sent - $3 where organization_id = $1 and id = any($2)',
    [organizationId, messageIds, seconds],
  )
}

export async function ageMoves(database: pg.ClientConfig, organizationId: number, seconds: number): Promise<void> {
  for (const table of ['topic_moves', 'message_edits']) {
    await executeStatement(database, `update ${table} set date_edited = date_edited - $2 where organization_id = $1`, [
      organizationId,
      seconds,
    ])
  }
}

export const FAR_FUTURE_SECONDS = 4_000_000_000

/** Makes items due now, because waiting for a real due time would require a fast machine. */
export async function makeDue(
  database: pg.ClientConfig,
  table: 'scheduled_messages' | 'reminders',
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await executeStatement(
    database,
    `update ${table} set delivery_at = extract(epoch from now())::bigint where organization_id = $1 and id = any($2)`,
    [organizationId, ids],
  )
}

export async function ageSessions(
  database: pg.ClientConfig,
  organizationId: number,
  userId: number,
  seconds: number,
): Promise<void> {
  await executeStatement(
    database,
    'update sessions set created_at = created_at - $3, confirmed_at = confirmed_at - $3 where organization_id = $1 and user_id = $2',
    [organizationId, userId, seconds],
  )
}

export async function letMailsBeTried(database: pg.ClientConfig, organizationId: number): Promise<void> {
  await executeStatement(
    database,
    'update outgoing_mails set attempt_at = extract(epoch from now())::bigint where organization_id = $1',
    [organizationId],
  )
}

/**
 * Retries with a later time if the time passes before the request arrives, because a machine can stall. Returns the
 * accepted time and the answer.
 */
export async function askForSoon(ask: (at: number) => Promise<Answer>): Promise<{ at: number; answer: Answer }> {
  for (let ahead = SOON_SECONDS; ; ahead *= 2) {
    const at = Math.ceil(Date.now() / 1000) + ahead
    const answer = await ask(at)
    if (answer.status === 200 || at > Date.now() / 1000) return { at, answer }
  }
}

async function executeStatement(
  database: pg.ClientConfig,
  statement: string,
  parameters: readonly unknown[],
): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement, [...parameters])
  await client.end()
}
