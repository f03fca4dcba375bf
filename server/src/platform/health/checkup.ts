import { messageOf } from '../../kernel/phrases.ts'
import type { Db } from '../../kernel/transaction.ts'
import { readBackupNote } from '../backup/note.ts'
import type { BusReport } from '../bus/bus.ts'
import type { ReplicaReport } from '../db/replicas.ts'
import type { FileStore } from '../files/store.ts'
import type { Mailer } from '../mail/mailer.ts'
import { checkDatabaseHealth } from './database-checks.ts'
import {
  noticeFinding,
  okFinding,
  wrongFinding,
  type Check,
  type Finding,
  type ProblemCode,
} from '../../kernel/finding.ts'
import type { Health } from './health.ts'
import { checkDescriptors, checkDisk, checkMemory } from './machine.ts'

/** How long results are reused, so that frequent requests do not contact the mail server each time. */
const CHECKUP_REUSE_MILLISECONDS = 30_000

export interface CheckupOptions {
  readonly dataDirectory: string
  readonly isEmbedded: boolean
  readonly reads: Db
  readonly mailer: Pick<Mailer, 'isConfigured' | 'verify'>
  readonly files: Pick<FileStore, 'failure' | 'report'>
  readonly bus: () => Pick<BusReport, 'kind' | 'isConnected'>
  readonly replicas: () => readonly ReplicaReport[]
  readonly url: () => string
  readonly host: string
  readonly isForDevelopers: boolean
}

export interface Checkup {
  findings(): Promise<readonly Finding[]>
}

export function openCheckup(options: CheckupOptions, health: Health): Checkup {
  let latest: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined
  const runChecks = async (): Promise<readonly Finding[]> => {
    const problems = await health.problems()
    const canAsk = problems.every(({ what }) => what === 'events_behind')
    const checks = [
      runCheck('disk', async () => checkDisk(options.dataDirectory)),
      runCheck('descriptors', async () => checkDescriptors('self')),
      runCheck('memory', checkMemory),
      runCheck('backup', async () => checkBackups(options.dataDirectory)),
      ...(canAsk
        ? [
            runCheck(
              'database',
              async () => checkDatabaseHealth(options.reads, options.isEmbedded),
              'database_unreachable',
            ),
          ]
        : []),
      checkMail(options.mailer),
      runCheck('replicas', async () => checkReplicas(options.replicas())),
      runCheck('bus', async () => checkBus(options.bus())),
      runCheck('files', async () => checkFileStore(options.files)),
    ]
    return [...(await Promise.all(checks)).flat(), checkAddress(options)]
  }
  return {
    findings() {
      if (latest === undefined || performance.now() - latest.at >= CHECKUP_REUSE_MILLISECONDS) {
        latest = { at: performance.now(), findings: runChecks() }
      }
      return latest.findings
    },
  }
}

export async function runCheck(
  check: Check,
  run: () => Promise<Finding | readonly Finding[] | undefined>,
  trouble: ProblemCode = 'look_failed',
): Promise<readonly Finding[]> {
  try {
    const found = await run()
    return found === undefined ? [] : [found].flat()
  } catch (error) {
    return [wrongFinding(check, trouble, null, messageOf(error))]
  }
}

export function checkReplicas(reports: readonly ReplicaReport[]): Finding | undefined {
  if (reports.length === 0) return undefined
  const leftOut = reports.flatMap(({ name, reason }) => (reason === undefined ? [] : [`${name} (${reason})`]))
  if (leftOut.length === 0) return okFinding('replicas', reports.map(({ name }) => name).join(', '))
  return wrongFinding('replicas', 'replicas_left_out', leftOut.length, leftOut.join(', '))
}

function checkBus({ kind, isConnected }: Pick<BusReport, 'kind' | 'isConnected'>): Finding | undefined {
  if (kind === 'postgresql') return undefined
  return isConnected ? okFinding('bus') : wrongFinding('bus', 'bus_away')
}

export async function checkFileStore(files: CheckupOptions['files']): Promise<Finding | undefined> {
  if (files.report.kind === 'folder') return undefined
  const reason = await files.failure()
  return reason === undefined
    ? okFinding('files', 'the store is reachable')
    : wrongFinding('files', 'file_store_away', null, reason)
}

/** Checks the mail server, if one is configured: a server without email can be intended. */
export async function checkMail(mailer: CheckupOptions['mailer']): Promise<readonly Finding[]> {
  if (!mailer.isConfigured) return [okFinding('mail', 'off, PARLEY_SMTP_URL is not set')]
  const verify = async (): Promise<Finding> => {
    await mailer.verify()
    return okFinding('mail', 'the mail server is reachable')
  }
  return runCheck('mail', verify, 'mail_unreachable')
}

export function checkAddress({
  url,
  host,
  isForDevelopers,
}: Pick<CheckupOptions, 'url' | 'host' | 'isForDevelopers'>): Finding {
  const { protocol, hostname } = new URL(url())
  const isNear = isLoopbackHost(hostname) && isLoopbackHost(host)
  if (isForDevelopers && !isNear) return wrongFinding('address', 'address_of_developers', null, url())
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    return noticeFinding('address', 'address_unencrypted', null, url())
  return okFinding('address', url())
}

function isLoopbackHost(host: string): boolean {
  return /^(?:.+\.)?localhost$|^127(?:\.\d+){3}$|^\[?::1\]?$/.test(host)
}

const DAY_SECONDS = 86_400
/** Tolerates one failed nightly backup. */
const OLD_BACKUP_SECONDS = 2 * DAY_SECONDS
const UNVERIFIED_BACKUP_SECONDS = 31 * DAY_SECONDS

/** Checks only backups made by Parley. */
export async function checkBackups(dataDirectory: string): Promise<Finding> {
  const note = await readBackupNote(dataDirectory)
  if (note === undefined) return noticeFinding('backup', 'backup_none')
  const { latest, verified } = note
  const now = Date.now() / 1000
  const days = Math.floor((now - latest.snapshot_at) / DAY_SECONDS)
  if (now - latest.snapshot_at > OLD_BACKUP_SECONDS)
    return noticeFinding('backup', 'backup_old', days, latest.directory)
  if (now - (verified?.snapshot_at ?? 0) > UNVERIFIED_BACKUP_SECONDS) {
    return noticeFinding('backup', 'backup_unverified', null, latest.directory)
  }
  return okFinding('backup', `of ${new Date(latest.snapshot_at * 1000).toISOString()}, in ${latest.directory}`)
}
