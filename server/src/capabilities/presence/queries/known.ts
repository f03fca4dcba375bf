import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { cachedFields, ComposedResponse } from '../../../platform/answers/composed.ts'
import type { SnapshotContext } from '../../../platform/server-facts.ts'
import { isLimitedGuest } from '../../users/rules/visibility.ts'
import { daysAgo, lastUpdateOf, memberOf, presencesSince, presentPresences, type StoredPresence } from './index.ts'

/* Caches presences for registrations. Each read fetches only newer ones, which become visible in numeric order. */

class KnownPresences {
  version = 0
  readonly byUser = new Map<number, StoredPresence>()
  #lastUpdate = -1

  /** Reads updates after the last known one; finds none in a transaction that is older than another reader's. */
  async read(db: Db, organizationId: number): Promise<void> {
    for (const row of await presencesSince(db, organizationId, this.#lastUpdate, 0)) {
      const before = this.byUser.get(row.userId)?.updateId ?? -1
      if (row.updateId <= before) continue
      this.byUser.set(row.userId, row)
      this.#lastUpdate = Math.max(this.#lastUpdate, row.updateId)
      this.version += 1
    }
  }
}

const presencesOf = new WeakMap<OrganizationState, KnownPresences>()

async function presencesIn(
  db: Db,
  organization: OrganizationState,
  since: number,
): Promise<{ rows: StoredPresence[]; state: string }> {
  const known = presencesOf.get(organization) ?? new KnownPresences()
  presencesOf.set(organization, known)
  await known.read(db, organization.id)
  const rows = [...known.byUser.values()].filter(({ idleAt }) => idleAt >= since)
  // Between versions, only the oldest presences are dropped, so version and row count identify the result.
  return { rows, state: `${known.version} ${rows.length}` }
}

export async function presencesSnapshot(
  db: Db,
  { organization, userId, form }: Viewer,
  { now, presenceHistoryDays }: SnapshotContext,
): Promise<ComposedResponse> {
  const { rows, state } = await presencesIn(db, organization, daysAgo(presenceHistoryDays, now))
  const member = memberOf(organization, userId)
  const shape = form.slimPresence ? 'modern' : 'legacy'
  // All users except limited guests see the same presences.
  const key = isLimitedGuest(organization, member) ? undefined : shape
  const presences = cachedFields(organization, presentPresences, { key, state }, (projections) => ({
    presences: presentPresences(projections, member, rows, shape),
  }))
  return new ComposedResponse([{ presence_last_update_id: lastUpdateOf(rows), server_timestamp: now }], [presences])
}
