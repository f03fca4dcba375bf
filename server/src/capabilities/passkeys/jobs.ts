import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { withChallengesOver } from './queries.ts'

const FORGET_EVERY_SECONDS = 600

export const forgetChallenges: Job = {
  name: 'forgetChallenges',
  everySeconds: FORGET_EVERY_SECONDS,
  due: withChallengesOver,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from passkey_challenges where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
    }),
}
