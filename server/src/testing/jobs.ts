import type { Job } from '../platform/jobs/jobs.ts'
import type { Parley } from '../start.ts'

export async function runJob({ database, logs, facts }: Parley, job: Job): Promise<void> {
  const { reads } = database
  for (const { organizationId, id } of await job.due(reads, Math.floor(Date.now() / 1000), [])) {
    const log = await logs.of(organizationId)
    await job.run({ log, reads, server: facts, closing: new AbortController().signal }, id)
  }
}
