import type { Job } from '../../platform/jobs/jobs.ts'
import { IDEMPOTENCY_KEY_SECONDS } from './contract/index.ts'

const CLEANUP_INTERVAL_SECONDS = 600
/** Limited, so that sends can run between transactions. */
const KEYS_PER_TRANSACTION = 2_000

export const deleteExpiredSendKeys: Job = {
  name: 'forgetSendKeys',
  everySeconds: CLEANUP_INTERVAL_SECONDS,
  due: async (db, now) =>
    db.rows(
      'expired_send_keys',
      `select organization_id as "organizationId", max(message_id) as id from (
         select organization_id, message_id from send_keys where sent_at < $1 order by sent_at
         limit ${KEYS_PER_TRANSACTION}
       ) oldest group by organization_id`,
      [now - IDEMPOTENCY_KEY_SECONDS],
    ),
  async run({ log }) {
    let forgotten: number
    do {
      forgotten = await log.write(async (tx) => {
        const rows = await tx.db.rows(
          'forget_send_keys',
          `delete from send_keys where (organization_id, user_id, key) in (
             select organization_id, user_id, key from send_keys where organization_id = $1 and sent_at < $2
             order by sent_at limit ${KEYS_PER_TRANSACTION}) returning 1`,
          [tx.organizationId, tx.now - IDEMPOTENCY_KEY_SECONDS],
        )
        return rows.length
      })
    } while (forgotten === KEYS_PER_TRANSACTION)
  },
}
