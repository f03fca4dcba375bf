import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { withExpiredPendingLogins } from './queries.ts'

const FORGET_EVERY_SECONDS = 600

export const deleteExpiredPendingLogins: Job = {
  name: 'forgetPendingLogins',
  everySeconds: FORGET_EVERY_SECONDS,
  due: withExpiredPendingLogins,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from pending_logins where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
