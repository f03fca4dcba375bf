import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { withExpiredChallenges } from './queries.ts'

const FORGET_EVERY_SECONDS = 600

export const deleteExpiredChallenges: Job = {
  name: 'forgetChallenges',
  everySeconds: FORGET_EVERY_SECONDS,
  due: withExpiredChallenges,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from passkey_challenges where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
