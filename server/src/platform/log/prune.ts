import type pg from 'pg'

/** How long an event stays in the log. A queue that has not moved for this long must be registered anew. */
export const LOG_RETENTION_SECONDS = 24 * 3600
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

/**
 * Deletes events older than the retention. Only from the beginning on, without a gap, also where a clock went backwards.
 * The newest event of each organization stays: by it a reader tells a quiet log from one that was pruned.
 * @param consumers those whose events stay longer until they are handled; the database may know others, of versions
 * that are gone or have not started here yet
 */
export async function pruneLogs(pool: pg.Pool, consumers: readonly string[]): Promise<readonly KeptEvents[]> {
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
       select o.id, greatest(least(${firstSince('$2')}, handled.position + 1), ${firstSince('$3')}) as position
       from organizations o cross join lateral (
         select min(greatest(c.position, c.clear_position)) as position from consumers c
         where c.organization_id = o.id and c.name = any($1::text[])) handled) first
     where e.organization_id = first.id and e.position < first.position`,
    [consumers, now - LOG_RETENTION_SECONDS, now - UNHANDLED_RETENTION_SECONDS],
  )
  return rows
}
