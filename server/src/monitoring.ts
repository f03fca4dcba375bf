import { SMALL_SAMPLE, checkRecentFiles } from './capabilities/server-health/queries/index.ts'
import type { Config } from './config.ts'
import type { Db } from './kernel/transaction.ts'
import { readBackupNote } from './platform/backup/note.ts'
import type { Consumers } from './platform/consumers/consumers.ts'
import type { Database } from './platform/db/database.ts'
import type { Replicas } from './platform/db/replicas.ts'
import type { FileStore } from './platform/files/store.ts'
import { healthAddresses } from './platform/health/addresses.ts'
import type { Health } from './platform/health/health.ts'
import { findRemedy, describeFinding } from './platform/health/wording.ts'
import type { Address } from './platform/http/routing.ts'
import type { Logger } from './platform/logger.ts'
import type { Logs } from './platform/log/logs.ts'
import { openMetrics, type Metrics } from './platform/metrics/metrics.ts'
import type { Queues } from './platform/queues/queues.ts'

export interface MonitoringOptions {
  readonly addresses: readonly Address[]
  readonly counted: Metrics['counted'] | undefined
}

interface MonitoredParts {
  readonly consumers: Consumers
  readonly queues: Queues
  readonly database: Database
  readonly logs: Logs
  readonly replicas: Replicas | undefined
  readonly health: Health
  readonly files: Pick<FileStore, 'report'>
}

export async function openMonitoring(
  { consumers, queues, database: { pool }, logs, replicas, health, files }: MonitoredParts,
  { PARLEY_METRICS_TOKEN: token, PARLEY_DATA_DIR: dataDirectory }: Config,
): Promise<MonitoringOptions> {
  const addresses = healthAddresses(health)
  if (token === undefined) return { addresses, counted: undefined }
  const metrics = await openMetrics(token, {
    consumers: () => consumers.reports(),
    queues: () => queues.count(),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    organizations: () => logs.loaded().map(({ organization }) => organization),
    backups: async () => {
      const note = await readBackupNote(dataDirectory)
      return { latestAt: note?.latest.snapshot_at, verifiedAt: note?.verified?.snapshot_at }
    },
    bus: () => logs.bus,
    replicas: () => replicas,
    files: () => files.report,
    health: async () => {
      const { length } = await health.problems()
      return { isReady: length === 0, behindEvents: health.behindEvents }
    },
  })
  return { addresses: [...addresses, metrics.address], counted: metrics.counted }
}

/** Reports missing files at startup, before users notice. */
export function startFileCheck(
  files: FileStore,
  reads: Db,
  logger: Logger,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  const closing = new AbortController()
  reportMissingFiles(files, reads, logger).catch((error: unknown) => {
    // Ignores errors after the close, because the database can close while a slow check runs.
    if (!closing.signal.aborted) report(error)
  })
  return {
    async close() {
      closing.abort()
      return Promise.resolve()
    },
  }
}

async function reportMissingFiles(files: FileStore, reads: Db, logger: Logger): Promise<void> {
  const reason = await files.failure().catch((error: unknown) => String(error))
  if (reason !== undefined) {
    logger.error({ reason }, 'files unavailable')
    return
  }
  // First checks a small sample. If a file is missing, checks more files, to tell whether all of them are missing.
  const few = await checkRecentFiles(reads, files, null, SMALL_SAMPLE)
  if (few === undefined || few.state === 'ok') return
  const found = await checkRecentFiles(reads, files, null)
  if (found === undefined || found.state === 'ok') return
  const message = found.trouble === 'files_elsewhere' ? 'uploaded files are elsewhere' : 'uploaded files are missing'
  logger.error({ reason: describeFinding(found), remedy: findRemedy(found) }, message)
}
