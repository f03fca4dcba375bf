import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { DAY_SECONDS, organizationsWithExpiredInvitations } from './queries.ts'

const CLEANUP_INTERVAL_SECONDS = 600

export const deleteExpiredInvitations: Job = {
  name: 'forgetInvitations',
  everySeconds: CLEANUP_INTERVAL_SECONDS,
  due: organizationsWithExpiredInvitations,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from registrations where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(
        tx.db,
      )
      await sql`
        delete from invitations where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}`.execute(tx.db)
      const today = Math.floor(tx.now / DAY_SECONDS)
      for (const table of ['invitation_mails', 'inviter_mails'] as const) {
        await tx.db
          .deleteFrom(table)
          .where('organization_id', '=', tx.organizationId)
          .where('day', '<', today)
          .execute()
      }
    }),
}
