interface BatchCounts {
  batches: number
  items: number
}

interface JobRunCounts {
  done: number
  failed: number
}

interface ConfirmationCounts {
  applied: number
  late: number
}

/** Counts are always kept: an increment is cheap, and callers do not have to know whether metrics are enabled. */
const batches = new Map<string, BatchCounts>()
const jobs = new Map<string, JobRunCounts>()

export function countBatch(kind: string, items: number): void {
  let counted = batches.get(kind)
  if (counted === undefined) batches.set(kind, (counted = { batches: 0, items: 0 }))
  counted.batches += 1
  counted.items += items
}

export function countJobRun(job: string, outcome: keyof JobRunCounts): void {
  let counted = jobs.get(job)
  if (counted === undefined) jobs.set(job, (counted = { done: 0, failed: 0 }))
  counted[outcome] += 1
}

const confirmations: ConfirmationCounts = { applied: 0, late: 0 }

export function countConfirmation(outcome: keyof ConfirmationCounts): void {
  confirmations[outcome] += 1
}

interface LogOpeningCounts {
  opened: number
  closed: number
}

const logOpenings: LogOpeningCounts = { opened: 0, closed: 0 }

export function countLogOpening(step: keyof LogOpeningCounts): void {
  logOpenings[step] += 1
}

export const processCounts: {
  readonly batches: ReadonlyMap<string, Readonly<BatchCounts>>
  readonly jobs: ReadonlyMap<string, Readonly<JobRunCounts>>
  readonly confirmations: Readonly<ConfirmationCounts>
  readonly openings: Readonly<LogOpeningCounts>
} = { batches, jobs, confirmations, openings: logOpenings }
