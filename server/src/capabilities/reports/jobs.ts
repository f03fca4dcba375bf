import type { Job } from '../../platform/jobs/jobs.ts'
import { deleteExpiredReport } from './actions.ts'
import { expiredReports } from './queries.ts'

const POLL_INTERVAL_SECONDS = 3_600

export const deleteExpiredReports: Job = {
  name: 'deleteExpiredReports',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: expiredReports,
  run: async ({ log }, id) => log.write(async (tx) => deleteExpiredReport(tx, id)),
}
