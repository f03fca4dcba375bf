import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { organizationsWithExpiredPendingLogins } from './queries.ts'

const DELETION_INTERVAL_SECONDS = 600

export const deleteExpiredPendingLogins: Job = {
  name: 'forgetPendingLogins',
  everySeconds: DELETION_INTERVAL_SECONDS,
  due: organizationsWithExpiredPendingLogins,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from pending_logins where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
