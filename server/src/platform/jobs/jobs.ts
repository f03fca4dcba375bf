import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import type { ServerFacts } from '../server-facts.ts'
import { countRun } from '../metrics/counts.ts'
import type { UseLog } from '../log/logs.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { PACE, type Pace } from '../pace.ts'
import type { Due } from './due.ts'
import { nextMultipleOf } from './seconds.ts'
import { PiecesSideBySide, type SideBySide } from './side-by-side.ts'

/** Work that no request asks for, and that is done at a time that the database knows. */
export interface Job {
  readonly name: string
  /** How often every server looks for work that is due, at the usual pace. */
  readonly everySeconds: number
  /**
   * The work that is due at `now`, the longest due first, at most a page of it. It must be one look at an index, which goes to the
   * database together with those of other jobs.
   * @param full the shares of the room that are full, of what is done side by side
   */
  readonly due: (db: Db, now: number, full: readonly string[]) => Promise<readonly Due[]>
  /**
   * Does one piece of work. Several servers may try at once, and any may die at any moment: one transaction finds it
   * still to be done, does it and takes it away.
   */
  readonly run: (context: JobContext, id: number) => Promise<void>
  /**
   * Ends a piece of work that failed `MAX_ATTEMPTS` times through a fault of the server. Without it, the work is
   * tried for ever.
   */
  readonly giveUp?: (context: JobContext, id: number) => Promise<void>
  /**
   * For work that waits for others outside: pieces are done at once, and looking for more does not wait for them, but follows
   * where one has ended. Without it, those of one organization are done one after the other, and all of them before the next look.
   */
  readonly sideBySide?: SideBySide
}

export interface JobContext {
  readonly log: OrganizationLog
  readonly reads: Db
  readonly server: ServerFacts
  /** Aborts when the server closes, which waits for what is being done: for work that takes long. */
  readonly closing: AbortSignal
}

export interface JobsOptions {
  readonly reads: Db
  /** Asks what is due in one statement with what else is looked for at the same moment. */
  readonly looks: Db
  readonly server: ServerFacts
  /** A log is open for as long as a piece of work of its organization is done. */
  readonly useLog: UseLog
  readonly pace: Pick<Pace, 'jobSecondMilliseconds'>
}

type Running = JobsOptions & Pick<JobContext, 'closing'>

const MAX_ATTEMPTS = 10
/** Jobs that look so often, or more often, do so in one statement; what others ask may take the database longer. */
const OFTEN_SECONDS = 5
/** Where pieces end one after the other, it is looked so often for others to begin. */
const LOOK_AGAIN_MILLISECONDS = 100

/**
 * Looks for work at the beginning of seconds, since times are whole seconds: work is found a few milliseconds after
 * it is due, and an idle server sends one statement a second, for all jobs and all organizations. Nothing has to wake the job.
 */
export function startJobs(jobs: readonly Job[], options: JobsOptions): { close(): Promise<void> } {
  const closing = new AbortController()
  // Each job waits for it, and Node takes more than ten that do for a leak.
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
  const pieces = job.sideBySide === undefined ? undefined : new PiecesSideBySide(job.sideBySide)
  const running = { ...options, closing }
  const isOften = job.everySeconds <= OFTEN_SECONDS
  const asked = isOften ? options.looks : options.reads
  const period = job.everySeconds * (isOften ? options.pace : PACE).jobSecondMilliseconds
  let failing = false
  for (;;) {
    // First, too: a server that has just started has more urgent things to ask its database.
    await untilNextLook(period, pieces, closing)
    if (closing.aborted) break
    try {
      const due = await job.due(asked, Math.floor(Date.now() / 1000), pieces?.full ?? [])
      if (pieces === undefined) await runDue(job, due, running, attempts)
      else pieces.begin(due, async (piece) => runPiece(job, piece, running, attempts))
      failing = false
    } catch (error) {
      // While the database is away this fails every time; once is enough to know.
      if (!failing) options.server.report(error)
      failing = true
    }
  }
  await pieces?.idle()
}

/**
 * Until the next time that is a multiple of a period; until pieces that are done side by side have ended, and left room for
 * what waits behind them; or until it is closed.
 */
async function untilNextLook(
  period: number,
  pieces: PiecesSideBySide | undefined,
  closing: AbortSignal,
): Promise<void> {
  const next = nextMultipleOf(period)
  for (let left = next - performance.now(); left > 0 && !closing.aborted; left = next - performance.now()) {
    const milliseconds = pieces?.isBusy === true ? Math.min(left, LOOK_AGAIN_MILLISECONDS) : left
    await sleep(milliseconds, undefined, { signal: closing }).catch(() => undefined)
    if (pieces?.takeEnded() === true) return
  }
}

async function runDue(job: Job, due: readonly Due[], running: Running, attempts: Map<string, number>): Promise<void> {
  const byOrganization = new Map<number, Due[]>()
  for (const piece of due) {
    const pieces = byOrganization.get(piece.organizationId)
    if (pieces === undefined) byOrganization.set(piece.organizationId, [piece])
    else pieces.push(piece)
  }
  const inOrganization = async (pieces: readonly Due[]): Promise<void> => {
    for (const piece of pieces) {
      if (running.closing.aborted) return
      await runPiece(job, piece, running, attempts)
    }
  }
  await Promise.all([...byOrganization.values()].map(inOrganization))
}

async function runPiece(
  job: Job,
  { organizationId, id }: Due,
  { reads, server, useLog, closing }: Running,
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
    countRun(job.name, 'done')
  } catch (error) {
    attempts.set(key, failures + 1)
    countRun(job.name, 'failed')
    server.report(error)
  }
}
