import type { Job } from '../../platform/jobs/jobs.ts'
import { countMessagePage } from './actions.ts'
import { dueCounts } from './queries.ts'

const COUNT_INTERVAL_SECONDS = 30

/** Counts messages a few minutes after they are sent. Counts page by page, so that other requests can run. */
export const countMessages: Job = {
  name: 'countMessages',
  everySeconds: COUNT_INTERVAL_SECONDS,
  due: dueCounts,
  run: async ({ log, closing }) => {
    while (!closing.aborted && (await log.write(countMessagePage)));
  },
}
