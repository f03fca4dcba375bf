import type pg from 'pg'

/** How long an event stays in the log. A queue that has not moved for this long must be registered anew. */
export const LOG_RETENTION_SECONDS = 24 * 3600
/**
 * How long it stays where a queue is kept for longer than that without use: the 14 days of such a queue, and the day that its
 * client may have been behind before.
 */
export const LONG_RETENTION_SECONDS = 15 * 24 * 3600
/** Events that stay for such queues in an organization. Beyond that the oldest go after a day, and the queues are lost. */
export const MAX_LONG_EVENTS = 250_000
/** How long it stays at most for a consumer that has not handled it. */
export const UNHANDLED_RETENTION_SECONDS = 7 * 24 * 3600

/** A consumer that keeps events in a log beyond their time, since it has not handled them. */
export interface KeptEvents {
  readonly organizationId: number
  readonly consumer: string
}

/** The position from which on an organization's log is kept, if events stay for $1 seconds. */
const firstSince = (seconds: string): string => `
  coalesce((select position from events where organization_id = o.id and recorded_at >= ${seconds}
            order by position limit 1), o.position)`

/** Whether an organization has a queue that may come back at $5 from further than $6 seconds ago. */
const HAS_LONG_QUEUE = `exists (
  select from queues q where q.organization_id = o.id and q.lifespan_seconds > $6::int
  and q.last_used_at + q.lifespan_seconds >= $5::bigint)`

/**
 * Deletes events older than the retention, which is longer where a queue lives longer. Only from the beginning on, without a
 * gap, also where a clock went backwards.
 * The newest event of each organization stays: by it a reader tells a quiet log from one that was pruned.
 * @param consumers those whose events stay longer until they are handled; the database may know others, of versions
 * that are gone or have not started here yet
 * @param mostLongEvents as many positions before the newest stay for queues that live long
 */
export async function pruneLogs(
  pool: pg.Pool,
  consumers: readonly string[],
  mostLongEvents = MAX_LONG_EVENTS,
): Promise<readonly KeptEvents[]> {
  const now = Math.floor(Date.now() / 1_000)
  const { rows } = await pool.query<KeptEvents>(
    `select o.id as "organizationId", c.name as consumer from organizations o join consumers c on c.organization_id = o.id
     where c.name = any($1::text[]) and greatest(c.position, c.clear_position) + 1 < ${firstSince('$2')}
     and exists (select from events where organization_id = o.id
                 and position > greatest(c.position, c.clear_position) and recorded_at < $2)
     order by 1, 2`,
    [consumers, now - LOG_RETENTION_SECONDS],
  )
  await pool.query(
    `delete from events e using (
       select o.id, least(
         greatest(least(${firstSince('$2')}, handled.position + 1), ${firstSince('$3')}),
         case when ${HAS_LONG_QUEUE} then greatest(${firstSince('$4')}, o.position - $7 + 1) end) as position
       from organizations o cross join lateral (
         select min(greatest(c.position, c.clear_position)) as position from consumers c
         where c.organization_id = o.id and c.name = any($1::text[])) handled) first
     where e.organization_id = first.id and e.position < first.position`,
    [
      consumers,
      now - LOG_RETENTION_SECONDS,
      now - UNHANDLED_RETENTION_SECONDS,
      now - LONG_RETENTION_SECONDS,
      now,
      LOG_RETENTION_SECONDS,
      mostLongEvents,
    ],
  )
  return rows
}
