import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import type { ServerFacts } from '../server-facts.ts'
import { countJobRun } from '../metrics/counts.ts'
import type { UseLog } from '../log/logs.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { PACE, type Pace } from '../pace.ts'
import type { DueJob } from './pieces.ts'
import { nextMultipleOfPeriod } from './every.ts'
import { PiecesConcurrencyLimits, type ConcurrencyLimits } from './concurrency-limits.ts'

/** Work that no request triggers, in units whose due times are in the database. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** Returns a page of due units, longest overdue first, with one index scan. `full`: keys that are at their limits. */
  readonly due: (db: Db, now: number, full: readonly string[]) => Promise<readonly DueJob[]>
  /** Runs a unit. Servers can race or die, so one transaction checks that the unit is due, and runs and deletes it. */
  readonly run: (context: JobContext, id: number) => Promise<void>
  /** Ends a unit that failed `MAX_ATTEMPTS` times. Without this function, the unit is retried forever. */
  readonly giveUp?: (context: JobContext, id: number) => Promise<void>
  /** For work that waits for external services. Otherwise, an organization's units run in turn before the next poll. */
  readonly concurrency?: ConcurrencyLimits
}

export interface JobContext {
  readonly log: OrganizationLog
  readonly reads: Db
  readonly server: ServerFacts
  readonly closing: AbortSignal
}

export interface JobsOptions {
  readonly reads: Db
  readonly polls: Db
  readonly server: ServerFacts
  readonly useLog: UseLog
  readonly pace: Pick<Pace, 'jobSecondMilliseconds'>
}

type RunOptions = JobsOptions & Pick<JobContext, 'closing'>

const MAX_ATTEMPTS = 10
/** Jobs with at most this interval share a statement. */
const MAX_BATCHED_INTERVAL_SECONDS = 5
const RETRY_POLL_INTERVAL_MILLISECONDS = 100

/** Starts jobs. All poll at the start of a second, when units are due: an idle server sends one statement a second. */
export function startJobs(jobs: readonly Job[], options: JobsOptions): { close(): Promise<void> } {
  const closing = new AbortController()
  // Allows one listener per job, because Node warns of a leak above ten.
  setMaxListeners(jobs.length, closing.signal)
  const loops = jobs.map(async (job) => runForEver(job, options, closing.signal))
  return {
    async close() {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

async function runForEver(job: Job, options: JobsOptions, closing: AbortSignal): Promise<void> {
  const attempts = new Map<string, number>()
  const pieces = job.concurrency === undefined ? undefined : new PiecesConcurrencyLimits(job.concurrency)
  const running = { ...options, closing }
  const isOften = job.everySeconds <= MAX_BATCHED_INTERVAL_SECONDS
  const asked = isOften ? options.polls : options.reads
  const period = job.everySeconds * (isOften ? options.pace : PACE).jobSecondMilliseconds
  let failing = false
  for (;;) {
    await waitForNextPoll(period, pieces, closing)
    if (closing.aborted) break
    try {
      const due = await job.due(asked, Math.floor(Date.now() / 1000), pieces?.full ?? [])
      if (pieces === undefined) await runDuePieces(job, due, running, attempts)
      else pieces.begin(due, async (piece) => runPiece(job, piece, running, attempts))
      failing = false
    } catch (error) {
      // Polls fail as long as the database is unreachable, so only the first failure is reported.
      if (!failing) options.server.report(error)
      failing = true
    }
  }
  await pieces?.idle()
}

/** Waits for the next poll. Resolves earlier if a unit that ended frees capacity, or when the jobs are closed. */
async function waitForNextPoll(
  period: number,
  pieces: PiecesConcurrencyLimits | undefined,
  closing: AbortSignal,
): Promise<void> {
  const next = nextMultipleOfPeriod(period)
  for (let left = next - performance.now(); left > 0 && !closing.aborted; left = next - performance.now()) {
    const milliseconds = pieces?.isBusy === true ? Math.min(left, RETRY_POLL_INTERVAL_MILLISECONDS) : left
    await sleep(milliseconds, undefined, { signal: closing }).catch(() => undefined)
    if (pieces?.takeEnded() === true) return
  }
}

async function runDuePieces(
  job: Job,
  due: readonly DueJob[],
  running: RunOptions,
  attempts: Map<string, number>,
): Promise<void> {
  const byOrganization = new Map<number, DueJob[]>()
  for (const piece of due) {
    const pieces = byOrganization.get(piece.organizationId)
    if (pieces === undefined) byOrganization.set(piece.organizationId, [piece])
    else pieces.push(piece)
  }
  const inOrganization = async (pieces: readonly DueJob[]): Promise<void> => {
    for (const piece of pieces) {
      if (running.closing.aborted) return
      await runPiece(job, piece, running, attempts)
    }
  }
  await Promise.all([...byOrganization.values()].map(inOrganization))
}

async function runPiece(
  job: Job,
  { organizationId, id }: DueJob,
  { reads, server, useLog, closing }: RunOptions,
  attempts: Map<string, number>,
): Promise<void> {
  const key = `${organizationId}:${id}`
  const failures = attempts.get(key) ?? 0
  try {
    await useLog(organizationId, async (log) => {
      const context = { log, reads, server, closing }
      if (failures >= MAX_ATTEMPTS && job.giveUp !== undefined) await job.giveUp(context, id)
      else await job.run(context, id)
    })
    attempts.delete(key)
    countJobRun(job.name, 'done')
  } catch (error) {
    attempts.set(key, failures + 1)
    countJobRun(job.name, 'failed')
    server.report(error)
  }
}
