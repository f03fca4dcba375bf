import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { organizationsWithExpiredChallenges } from './queries.ts'

const DELETION_INTERVAL_SECONDS = 600

export const deleteExpiredChallenges: Job = {
  name: 'forgetChallenges',
  everySeconds: DELETION_INTERVAL_SECONDS,
  due: organizationsWithExpiredChallenges,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from passkey_challenges where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
