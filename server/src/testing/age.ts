import pg from 'pg'
import type { Answer } from './user.ts'

/** From asking for a time until it comes, at first. */
const SOON_SECONDS = 3

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

/** Makes all sessions of a user look as if nobody had signed in or confirmed who they are for this much longer. */
export async function ageSessions(
  database: pg.ClientConfig,
  organizationId: number,
  userId: number,
  seconds: number,
): Promise<void> {
  await execute(
    database,
    'update sessions set created_at = created_at - $3, confirmed_at = confirmed_at - $3 where organization_id = $1 and user_id = $2',
    [organizationId, userId, seconds],
  )
}

/** Lets the next attempt to send each e-mail that waits come now. */
export async function letMailsBeTried(database: pg.ClientConfig, organizationId: number): Promise<void> {
  await execute(
    database,
    'update outgoing_mails set attempt_at = extract(epoch from now())::bigint where organization_id = $1',
    [organizationId],
  )
}

/**
 * Asks for a time that comes soon, and again for a later one where it has come before the server was asked: a machine
 * may stand still for longer than any time that is soon. Gives the time that was granted, and the answer.
 */
export async function askForSoon(ask: (at: number) => Promise<Answer>): Promise<{ at: number; answer: Answer }> {
  for (let ahead = SOON_SECONDS; ; ahead *= 2) {
    const at = Math.ceil(Date.now() / 1000) + ahead
    const answer = await ask(at)
    if (answer.status === 200 || at > Date.now() / 1000) return { at, answer }
  }
}

async function execute(database: pg.ClientConfig, statement: string, parameters: readonly unknown[]): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement, [...parameters])
  await client.end()
}
