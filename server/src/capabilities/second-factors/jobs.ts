import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { withPendingLoginsOver } from './queries.ts'

const FORGET_EVERY_SECONDS = 600

export const forgetPendingLogins: Job = {
  name: 'forgetPendingLogins',
  everySeconds: FORGET_EVERY_SECONDS,
  due: withPendingLoginsOver,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from pending_logins where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
