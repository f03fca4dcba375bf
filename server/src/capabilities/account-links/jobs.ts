import { sql } from 'kysely'
import type { Job } from '../../platform/jobs/jobs.ts'
import { answerPasswordRequest } from './actions/passwords.ts'
import { ADDRESS_MAIL_PERIOD_SECONDS } from './contract.ts'
import { duePasswordRequests, organizationsWithExpiredLinks } from './queries.ts'

export const answerPasswordRequests: Job = {
  name: 'answerPasswordRequests',
  everySeconds: 1,
  due: duePasswordRequests,
  async run({ log, server }, id) {
    const token = await server.tokens.make()
    await log.write((tx) => answerPasswordRequest(tx, id, token))
  },
}

const DELETE_EVERY_SECONDS = 600

export const deleteExpiredAccountLinks: Job = {
  name: 'forgetAccountLinks',
  everySeconds: DELETE_EVERY_SECONDS,
  due: organizationsWithExpiredLinks,
  run: async ({ log }) =>
    log.write(async (tx) => {
      await sql`
        delete from account_links where organization_id = ${tx.organizationId} and expires_at <= ${tx.now}
          and made_at <= ${tx.now - ADDRESS_MAIL_PERIOD_SECONDS}`.execute(tx.db)
    }),
}
