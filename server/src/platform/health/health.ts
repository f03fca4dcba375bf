import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'

const RESULT_REUSE_MILLISECONDS = 1_000
/** Time limit for a check, after which the database counts as unreachable. */
const CHECK_TIMEOUT_MILLISECONDS = 5_000
/** Time after which a check without a result is abandoned, and a new one starts. */
const ABANDON_AFTER_MILLISECONDS = 60_000
const MAX_LAG_MILLISECONDS = 5_000

interface FollowedLog {
  readonly organization: { readonly id: number; readonly position: number }
}

export interface HealthOptions {
  readonly reads: Db
  readonly logs: { loaded(): readonly FollowedLog[] }
}

export type Problem =
  | { readonly what: 'database_read_only' }
  | { readonly what: 'database_unreachable' }
  | { readonly what: 'database_full' }
  | { readonly what: 'database_silent'; readonly seconds: number }
  /** Number of lagging organizations, and the longest lag in seconds. */
  | { readonly what: 'events_behind'; readonly organizations: number; readonly seconds: number }

export interface Health {
  /** Returns an empty list if ready. Never rejects. */
  problems(): Promise<readonly Problem[]>
  reportFull(): void
  readonly behindEvents: number
}

interface LagObservation {
  readonly position: number
  readonly at: number
}

interface PendingCheck {
  readonly at: number
  readonly found: Promise<readonly Problem[]>
}

/** A standby refuses to assign a transaction ID. */
const WRITABLE_SQL = `select pg_current_xact_id()::text, current_setting('transaction_read_only') = 'on' as "isReadOnly"`
const READ_ONLY_CODE = '25006'
const READ_ONLY_PROBLEM: Problem = { what: 'database_read_only' }

const FULL_PROBLEM: Problem = { what: 'database_full' }
/** Time for which a full disk is reported. After that, another write will show whether the disk is still full. */
const FULL_PROBLEM_REPORT_MILLISECONDS = 10_000

const POSITIONS_SQL = 'select id, position from organizations where id = any($1::bigint[])'

export function openHealth({ reads, logs }: HealthOptions): Health {
  const behind = new Map<number, LagObservation>()
  let behindEvents = 0
  let pending: PendingCheck | undefined
  let fullAt = -Infinity
  let latest: { readonly at: number; readonly problems: Promise<readonly Problem[]> } | undefined

  const check = async (): Promise<readonly Problem[]> => {
    const before = performance.now()
    const loaded = new Map(logs.loaded().map((log) => [log.organization.id, log]))
    const [writable] = await reads.rows<{ isReadOnly: boolean }>('health_writable', WRITABLE_SQL, [])
    if (writable?.isReadOnly === true) return [READ_ONLY_PROBLEM]
    const rows = await reads.rows<{ id: number; position: number }>('health_positions', POSITIONS_SQL, [
      [...loaded.keys()],
    ])
    behindEvents = 0
    // Forgets closed logs, which cannot lag: a log is read when it is opened again.
    for (const id of behind.keys()) if (!loaded.has(id)) behind.delete(id)
    for (const { id, position } of rows) {
      const applied = loaded.get(id)?.organization.position ?? position
      behindEvents += Math.max(0, position - applied)
      const seen = behind.get(id)
      if (seen !== undefined && applied >= seen.position) behind.delete(id)
      if (applied < position && !behind.has(id)) behind.set(id, { position, at: before })
    }
    const overdue = [...behind.values()].filter(({ at }) => before - at >= MAX_LAG_MILLISECONDS)
    if (overdue.length === 0) return []
    const seconds = Math.round(Math.max(...overdue.map(({ at }) => before - at)) / 1_000)
    return [{ what: 'events_behind', organizations: overdue.length, seconds }]
  }

  const begin = (): PendingCheck => {
    const found = check().catch((error: unknown): readonly Problem[] => {
      // Omits the driver's message, which contains hosts and users.
      const isReadOnly = error instanceof Error && 'code' in error && error.code === READ_ONLY_CODE
      return [isReadOnly ? READ_ONLY_PROBLEM : { what: 'database_unreachable' }]
    })
    const begun = { at: performance.now(), found }
    void found.then(() => {
      if (pending === begun) pending = undefined
    })
    return begun
  }

  /** Waits for a check, up to a limit. While the database hangs, no second check starts. */
  const inTime = async (): Promise<readonly Problem[]> => {
    if (pending === undefined || performance.now() - pending.at >= ABANDON_AFTER_MILLISECONDS) pending = begin()
    const { at, found } = pending
    const answered = new AbortController()
    const left = Math.max(0, at + CHECK_TIMEOUT_MILLISECONDS - performance.now())
    const timeout = sleep(left, undefined, { signal: answered.signal }).then((): readonly Problem[] => [
      { what: 'database_silent', seconds: Math.round((performance.now() - at) / 1_000) },
    ])
    timeout.catch(() => undefined)
    try {
      return await Promise.race([found, timeout])
    } finally {
      answered.abort()
    }
  }

  return {
    problems() {
      if (latest === undefined || performance.now() - latest.at >= RESULT_REUSE_MILLISECONDS) {
        latest = { at: performance.now(), problems: inTime() }
      }
      return latest.problems.then((problems) =>
        performance.now() - fullAt < FULL_PROBLEM_REPORT_MILLISECONDS ? [FULL_PROBLEM, ...problems] : problems,
      )
    },
    reportFull() {
      fullAt = performance.now()
    },
    get behindEvents() {
      return behindEvents
    },
  }
}
