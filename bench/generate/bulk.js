/* Writes large numbers of rows in batches, over two connections, and without the event log. */

/** @import { Client } from 'pg' */

const ROWS_AT_ONCE = 20_000

/** Fast but unsafe settings: no other process writes to the database, which is generated again after a crash. */
export const SESSION_SETTINGS = `set synchronous_commit = off; set session_replication_role = replica; set maintenance_work_mem = '256MB';
  set work_mem = '128MB'; set max_parallel_maintenance_workers = 2`

/**
 * @param {number} count @param {(from: number, to: number) => Promise<unknown>} write
 * @param {number} [writer] 0 or 1 to write every other batch (see `runOnTwoConnections`); by default, writes all
 */
export async function writeBatches(count, write, writer) {
  const [first, step] = writer === undefined ? [0, ROWS_AT_ONCE] : [writer * ROWS_AT_ONCE, 2 * ROWS_AT_ONCE]
  for (let from = first; from < count; from += step) await write(from, Math.min(count, from + ROWS_AT_ONCE))
}

/** @param {Client} client @param {(client: Client, number: number) => Promise<void>} work */
export async function runOnTwoConnections(client, work) {
  const { host, port, user = '', database = '' } = client
  // Uses the given client's class, so that only one place imports the driver.
  const second = /** @type {Client} */ (Reflect.construct(client.constructor, [{ host, port, user, database }]))
  await second.connect()
  try {
    await second.query(SESSION_SETTINGS)
    await Promise.all([work(client, 0), work(second, 1)])
  } finally {
    await second.end()
  }
}

/**
 * Replaces all events with a single event at `position`.
 * @param {Client} client @param {number} organization @param {number} position @param {number} now
 */
export async function advanceLog(client, organization, position, now) {
  await client.query('delete from events where organization_id = $1', [organization])
  await client.query(
    `insert into events (organization_id, position, type, audience, payload, recorded_at)
     values ($1, $2, 'fold', '{}', '{}', $3)`,
    [organization, position, now],
  )
  await client.query('update organizations set position = $2 where id = $1', [organization, position])
}
