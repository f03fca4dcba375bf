import { writeTokenUses } from './capabilities/api-tokens/jobs.ts'
import { promoteFullMembers } from './capabilities/groups/jobs.ts'
import { writeActivity } from './capabilities/presence/jobs.ts'
import { writeSessionUses } from './capabilities/sessions/jobs.ts'
import type { Database } from './platform/db/database.ts'
import { sweepIncoming } from './platform/files/receive.ts'
import type { FileStore } from './platform/files/store.ts'
import { repeatEvery } from './platform/jobs/every.ts'
import { deleteEndedAttempts } from './platform/limits/attempts.ts'
import type { Logs } from './platform/log/logs.ts'
import type { LogObserver } from './platform/log/observer.ts'
import type { Queues } from './platform/queues/queues.ts'

const SWEEP_INTERVAL_MILLISECONDS = 30_000
const PRUNE_INTERVAL_MILLISECONDS = 3_600_000
const DELETE_ATTEMPTS_INTERVAL_MILLISECONDS = 300_000
const WRITE_ACTIVITY_INTERVAL_MILLISECONDS = 1_000
const USAGE_WRITE_INTERVAL_MILLISECONDS = 60_000

interface HousekeepingTargets {
  readonly database: Database
  readonly logs: Logs
  readonly queues: Queues
}

export function startHousekeeping(
  store: HousekeepingTargets,
  files: FileStore,
  report: (error: unknown) => void,
): readonly ReturnType<typeof repeatEvery>[] {
  const promote = async (): Promise<unknown> => Promise.all(store.logs.loaded().map(promoteFullMembers))
  const prune = async (): Promise<unknown> => Promise.all([pruneLogs(store, report), sweepIncoming(files.incoming)])
  return [
    repeatEvery(WRITE_ACTIVITY_INTERVAL_MILLISECONDS, async () => saveActivity(store), report),
    repeatEvery(
      USAGE_WRITE_INTERVAL_MILLISECONDS,
      async () => Promise.all(store.logs.loaded().map(writeSessionUses)),
      report,
    ),
    repeatEvery(
      USAGE_WRITE_INTERVAL_MILLISECONDS,
      async () => Promise.all(store.logs.loaded().map(writeTokenUses)),
      report,
    ),
    repeatEvery(SWEEP_INTERVAL_MILLISECONDS, async () => store.queues.sweep(), report),
    repeatEvery(SWEEP_INTERVAL_MILLISECONDS, async () => store.logs.unloadRemoved(), report),
    repeatEvery(SWEEP_INTERVAL_MILLISECONDS, async () => store.logs.closeUnused(), report),
    repeatEvery(SWEEP_INTERVAL_MILLISECONDS, promote, report),
    repeatEvery(PRUNE_INTERVAL_MILLISECONDS, prune, report),
    repeatEvery(DELETE_ATTEMPTS_INTERVAL_MILLISECONDS, async () => deleteEndedAttempts(store.database.lookups), report),
  ]
}

async function pruneLogs({ logs }: Pick<HousekeepingTargets, 'logs'>, report: (error: unknown) => void): Promise<void> {
  for (const { organizationId, consumer } of await logs.prune()) {
    report(new Error(`consumer ${consumer} has not handled events of organization ${organizationId} for a day`))
  }
}

export function activityWriter({ lookups }: Pick<Database, 'lookups'>): LogObserver {
  return {
    async saveState(logs) {
      const organizations = logs.map(({ organization }) => organization)
      await Promise.all([
        writeActivity(lookups, organizations),
        ...logs.map(writeSessionUses),
        ...logs.map(writeTokenUses),
      ])
    },
  }
}

export async function saveActivity({ database, logs }: Pick<HousekeepingTargets, 'database' | 'logs'>): Promise<void> {
  const organizations = logs.loaded().map(({ organization }) => organization)
  await writeActivity(database.lookups, organizations)
}
