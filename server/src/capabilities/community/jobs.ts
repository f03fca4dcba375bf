import type { Job } from '../../platform/jobs/jobs.ts'
import { changeLockDown } from './actions.ts'
import { dueLockDowns, lockDownProjection } from './queries.ts'

export const endLockDowns: Job = {
  name: 'endLockDowns',
  everySeconds: 1,
  due: dueLockDowns,
  async run({ log }) {
    await log.write(async (tx) => {
      const { endsAt } = tx.organization.of(lockDownProjection)
      if (endsAt !== null && endsAt <= tx.now) await changeLockDown(tx, null)
    })
  },
}
