import type pg from 'pg'

/** A queue that is unused for longer than this must be registered again. */
export const LOG_RETENTION_SECONDS = 24 * 3600
export const LONG_RETENTION_SECONDS = 15 * 24 * 3600
/** Beyond this many events for long-lived queues, events are deleted after a day, which ends those queues. */
export const MAX_LONG_RETAINED_EVENTS = 250_000
export const UNHANDLED_RETENTION_SECONDS = 7 * 24 * 3600

export interface RetainedEvents {
  readonly organizationId: number
  readonly consumer: string
}

const firstPositionSinceSql = (seconds: string): string => `
  coalesce((select position from events where organization_id = o.id and recorded_at >= ${seconds}
            order by position limit 1), o.position)`

/** Whether a queue with a lifespan above $6 seconds is still valid at the time $5. */
const HAS_LONG_QUEUE_SQL = `exists (
  select from queues q where q.organization_id = o.id and q.lifespan_seconds > $6::int
  and q.last_used_at + q.lifespan_seconds >= $5::bigint)`

/** Deletes the start of the log, up to unhandled events. Keeps the newest event, or a quiet log would look pruned. */
export async function pruneLogs(
  pool: pg.Pool,
  consumers: readonly string[],
  mostLongEvents = MAX_LONG_RETAINED_EVENTS,
): Promise<readonly RetainedEvents[]> {
  const now = Math.floor(Date.now() / 1_000)
  const { rows } = await pool.query<RetainedEvents>(
    `select o.id as "organizationId", c.name as consumer from organizations o join consumers c on c.organization_id = o.id
     where c.name = any($1::text[]) and greatest(c.position, c.clear_position) + 1 < ${firstPositionSinceSql('$2')}
     and exists (select from events where organization_id = o.id
                 and position > greatest(c.position, c.clear_position) and recorded_at < $2)
     order by 1, 2`,
    [consumers, now - LOG_RETENTION_SECONDS],
  )
  await pool.query(
    `delete from events e using (
       select o.id, least(
         greatest(least(${firstPositionSinceSql('$2')}, handled.position + 1), ${firstPositionSinceSql('$3')}),
         case when ${HAS_LONG_QUEUE_SQL} then greatest(${firstPositionSinceSql('$4')}, o.position - $7 + 1) end) as position
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
