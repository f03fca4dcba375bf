import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'

const DAY_SECONDS = 86_400
const RECENT_DAYS = 14
/** Activity is not written again if another server has written it within this time. */
export const MIN_WRITE_INTERVAL_SECONDS = 3_600
/** Together with `MIN_WRITE_INTERVAL_SECONDS`, keeps stored times at most a day old. */
const RECORD_INTERVAL_SECONDS = DAY_SECONDS - MIN_WRITE_INTERVAL_SECONDS
const ACTIVITY_RETENTION_SECONDS = (RECENT_DAYS + 1) * DAY_SECONDS
const EVICTION_INTERVAL_SECONDS = 3_600
const READ_OVERLAP_SECONDS = 120

const ACTIVITY_SINCE = `
  select user_id as "userId", noted_at as "notedAt" from user_activity where organization_id = $1 and noted_at > $2`

/** Can contain users who are no longer active, but never omits an active user. */
export interface RecentlyActiveUsers {
  readonly version: number
  has(userId: number): boolean
}

/** Activity is not part of the log, and changes to it cause no events. */
class ActivityCache implements RecentlyActiveUsers {
  version = 0
  readonly #notedAt = new Map<number, number>()
  readonly unwritten = new Map<number, number>()
  #beginning: Promise<void> | undefined
  #readTo = 0
  #leftAt = 0

  has(userId: number): boolean {
    return this.#notedAt.has(userId)
  }

  note(userId: number, now: number): void {
    const before = this.#notedAt.get(userId)
    if (before !== undefined && now - before < RECORD_INTERVAL_SECONDS) return
    this.#put(userId, now)
    this.unwritten.set(userId, now)
  }

  async read(db: Db, organizationId: number, now: number): Promise<void> {
    const readSince = async (since: number): Promise<void> => {
      const rows = await db.rows<{ userId: number; notedAt: number }>('activity_since', ACTIVITY_SINCE, [
        organizationId,
        since,
      ])
      for (const { userId, notedAt } of rows) this.#put(userId, notedAt)
      this.#readTo = Math.max(this.#readTo, now)
    }
    if (this.#beginning === undefined) {
      // When a server starts, concurrent requests share the first read.
      this.#beginning = readSince(now - ACTIVITY_RETENTION_SECONDS)
      this.#beginning.catch(() => (this.#beginning = undefined))
      await this.#beginning
    } else {
      await this.#beginning
      await readSince(this.#readTo - READ_OVERLAP_SECONDS)
    }
    this.#letLeave(now)
  }

  #put(userId: number, notedAt: number): void {
    const before = this.#notedAt.get(userId)
    if (before === undefined) this.version += 1
    this.#notedAt.set(userId, Math.max(before ?? 0, notedAt))
  }

  #letLeave(now: number): void {
    if (now - this.#leftAt < EVICTION_INTERVAL_SECONDS) return
    this.#leftAt = now
    for (const [userId, notedAt] of this.#notedAt) {
      if (notedAt > now - ACTIVITY_RETENTION_SECONDS) continue
      this.#notedAt.delete(userId)
      this.version += 1
    }
  }
}

const activityCaches = new WeakMap<OrganizationState, ActivityCache>()

function activityCacheOf(organization: OrganizationState): ActivityCache {
  let activity = activityCaches.get(organization)
  if (activity === undefined) {
    activity = new ActivityCache()
    activityCaches.set(organization, activity)
  }
  return activity
}

/** Called for every request, so it only changes memory; `writeActivity` writes to the database. */
export function recordActivity(organization: OrganizationState, userId: number): void {
  activityCacheOf(organization).note(userId, Math.floor(Date.now() / 1000))
}

export function unwrittenActivity(organization: OrganizationState): Map<number, number> {
  return activityCacheOf(organization).unwritten
}

export async function readActivity(organization: OrganizationState, db: Db): Promise<void> {
  await activityCacheOf(organization).read(db, organization.id, Math.floor(Date.now() / 1000))
}

/** Returns users with a request in the last 14 days, as of the last `readActivity`. */
export function recentlyActiveUsers(organization: OrganizationState): RecentlyActiveUsers {
  return activityCacheOf(organization)
}
