import type { Db } from '../../kernel/transaction.ts'
import type { RateLimit, RateVerdict } from './rate.ts'

/* Counts attempts across processes and restarts. Otherwise, attackers could switch processes or wait for a restart. */

export interface AttemptLimiter {
  /** Counts an attempt. `key` is a digest of constant length; `times` multiplies the limit. */
  use(organizationId: number, key: string, times?: number): Promise<RateVerdict>
  forget(organizationId: number, key: string): Promise<void>
  /** Remembers a key for `lifetime` seconds. */
  keep(organizationId: number, key: string, lifetime: number): Promise<void>
  isKept(organizationId: number, key: string): Promise<boolean>
}

/** Limit per organization. Above the limit, the windows that end first are deleted. */
const MAX_WINDOWS_PER_ORGANIZATION = 100_000

const COUNT_ATTEMPT_SQL = `
  insert into failed_attempts as a (organization_id, digest, used, ends_at)
  values ($1, $2, 1, extract(epoch from clock_timestamp())::float8 + $3::int)
  on conflict (organization_id, digest) do update set
    used = case when a.ends_at <= extract(epoch from clock_timestamp())::float8 then 1 else least(a.used, $4::int) + 1 end,
    ends_at = case when a.ends_at <= extract(epoch from clock_timestamp())::float8 then excluded.ends_at else a.ends_at end
  returning used, ends_at as "endsAt", ends_at - extract(epoch from clock_timestamp())::float8 as left`

const REMEMBER_KEY_SQL = `
  insert into failed_attempts (organization_id, digest, used, ends_at)
  values ($1, $2, 0, extract(epoch from clock_timestamp())::float8 + $3::int)
  on conflict (organization_id, digest) do update set ends_at = excluded.ends_at`

const IS_REMEMBERED_SQL = `
  select 1 from failed_attempts
  where organization_id = $1 and digest = $2 and ends_at > extract(epoch from clock_timestamp())::float8`

const FORGET_ATTEMPTS_SQL = 'delete from failed_attempts where organization_id = $1 and digest = $2'

export function attemptLimiter(db: Db, { count, seconds }: RateLimit): AttemptLimiter {
  return {
    async use(organizationId, key, times = 1) {
      const most = count * times
      const rows = await db.rows<{ used: number; endsAt: number; left: number }>('use_attempt', COUNT_ATTEMPT_SQL, [
        organizationId,
        key,
        seconds,
        most,
      ])
      const { used, endsAt, left } = rows[0] ?? { used: most + 1, endsAt: 0, left: seconds }
      return {
        allowed: used <= most,
        limit: most,
        remaining: Math.max(0, most - used),
        resetAt: Math.ceil(endsAt),
        retryAfterSeconds: Math.max(0, left),
      }
    },
    async forget(organizationId, key) {
      await db.rows('forget_attempt', FORGET_ATTEMPTS_SQL, [organizationId, key])
    },
    async keep(organizationId, key, lifetime) {
      await db.rows('keep_attempt_key', REMEMBER_KEY_SQL, [organizationId, key, lifetime])
    },
    async isKept(organizationId, key) {
      return (await db.rows('is_attempt_key_kept', IS_REMEMBERED_SQL, [organizationId, key])).length > 0
    },
  }
}

const DELETE_ENDED_SQL = 'delete from failed_attempts where ends_at <= extract(epoch from clock_timestamp())::float8'

const DELETE_SURPLUS_SQL = `
  delete from failed_attempts a using (
    select organization_id, digest, row_number() over (partition by organization_id order by ends_at desc) as place
    from failed_attempts) ranked
  where a.organization_id = ranked.organization_id and a.digest = ranked.digest and ranked.place > ${MAX_WINDOWS_PER_ORGANIZATION}`

export async function deleteEndedAttempts(db: Db): Promise<void> {
  await db.rows('forget_ended_attempts', DELETE_ENDED_SQL, [])
  await db.rows('forget_surplus_attempts', DELETE_SURPLUS_SQL, [])
}
