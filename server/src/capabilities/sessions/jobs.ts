import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { OrganizationLog } from '../../platform/log/organization-log.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { endSessions } from './actions/index.ts'
import { SESSION_SECONDS } from './contract.ts'
import {
  SESSIONS_ENDED_PER_TRANSACTION,
  isValidSession,
  unwrittenSessionUses,
  sessionsProjection,
  organizationsWithExpiredSessions,
} from './queries.ts'

const CLEANUP_INTERVAL_SECONDS = 600

export const endExpiredSessions: Job = {
  name: 'endExpired',
  everySeconds: CLEANUP_INTERVAL_SECONDS,
  due: (db, now) => organizationsWithExpiredSessions(db, now - SESSION_SECONDS, now),
  run: async ({ log }) => {
    // Ends sessions in several transactions, so that other requests can run in between.
    while (await log.write(endOldestSessions));
  },
}

/** Returns whether more expired sessions may remain. */
async function endOldestSessions(tx: Tx): Promise<boolean> {
  const sessions = await tx.db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('organization_id', '=', tx.organizationId)
    .where('used_at', '<=', tx.now - SESSION_SECONDS)
    .limit(SESSIONS_ENDED_PER_TRANSACTION)
    .execute()
  for (const { id, user_id: userId } of sessions) await endSessions(tx, userId, [id])
  await tx.db
    .deleteFrom('login_links')
    .where('organization_id', '=', tx.organizationId)
    .where('expires_at', '<=', tx.now)
    .execute()
  return sessions.length === SESSIONS_ENDED_PER_TRANSACTION
}

export async function writeSessionUses(log: OrganizationLog): Promise<void> {
  const uses = unwrittenSessionUses(log.organization)
  if (uses.size === 0) return
  const written = new Map(uses)
  await log.write(async (tx) => {
    const ids = [...written.keys()].filter((id) => isValidSession(tx.organization, id))
    if (ids.length === 0) return
    const usedAt = tx.now
    await sql`
      update sessions set used_at = greatest(used_at, ${usedAt})
      where organization_id = ${tx.organizationId} and id = any(${ids})`.execute(tx.db)
    tx.change(sessionsProjection, { used: ids, usedAt })
  })
  for (const id of written.keys()) uses.delete(id)
}
