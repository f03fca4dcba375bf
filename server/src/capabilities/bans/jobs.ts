import type { Job } from '../../platform/jobs/jobs.ts'
import { endExpiredBan } from './actions/index.ts'
import { expiredBans } from './queries.ts'

const POLL_INTERVAL_SECONDS = 30

export const endExpiredBans: Job = {
  name: 'endBans',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: expiredBans,
  run: async ({ log }, userId) => log.write(async (tx) => endExpiredBan(tx, userId)),
}
