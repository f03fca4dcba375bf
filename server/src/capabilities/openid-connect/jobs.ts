import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { withExpiredAttempts } from './queries.ts'

const FORGET_EVERY_SECONDS = 600

export const deleteExpiredOpenidAttempts: Job = {
  name: 'forgetOpenidAttempts',
  everySeconds: FORGET_EVERY_SECONDS,
  due: withExpiredAttempts,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from openid_attempts where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
