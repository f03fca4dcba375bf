import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { organizationsWithExpiredAttempts } from './queries.ts'

const DELETION_INTERVAL_SECONDS = 600

export const deleteExpiredOpenidAttempts: Job = {
  name: 'forgetOpenidAttempts',
  everySeconds: DELETION_INTERVAL_SECONDS,
  due: organizationsWithExpiredAttempts,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from openid_attempts where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
