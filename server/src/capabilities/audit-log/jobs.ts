import type { Tx } from '../../kernel/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { deleteOldestEntries } from './actions.ts'
import { AUDIT_RETENTION_SECONDS } from './contract.ts'
import { dueAuditLogs } from './queries.ts'

const POLL_INTERVAL_SECONDS = 3_600

export const pruneAuditLog: Job = {
  name: 'forgetAuditLog',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: dueAuditLogs,
  run: async ({ log, closing }) => {
    const forget = async (tx: Tx): Promise<boolean> => deleteOldestEntries(tx, tx.now - AUDIT_RETENTION_SECONDS)
    // Other writers get a turn between batches.
    while (!closing.aborted && (await log.write(forget)));
  },
}
