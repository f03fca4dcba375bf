import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { processPasswordRequest } from './actions/passwords.ts'
import { ADDRESS_MAIL_PERIOD_SECONDS } from './contract.ts'
import { duePasswordRequests, organizationsWithExpiredLinks } from './queries.ts'

export const processPasswordRequests: Job = {
  name: 'answerPasswordRequests',
  everySeconds: 1,
  due: duePasswordRequests,
  async run({ log, server }, id) {
    const token = await server.tokens.make()
    await log.write((tx) => processPasswordRequest(tx, id, token))
  },
}

const DELETION_INTERVAL_SECONDS = 600

export const deleteExpiredAccountLinks: Job = {
  name: 'forgetAccountLinks',
  everySeconds: DELETION_INTERVAL_SECONDS,
  due: organizationsWithExpiredLinks,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from account_links where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}
          and made_at <= ${tx.now - ADDRESS_MAIL_PERIOD_SECONDS}`.execute(tx.db)
    }),
}
