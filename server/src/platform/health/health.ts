import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'

/** Probes come from several sides at once; one look answers all of this long. */
const KEEP_MILLISECONDS = 1_000
/** A database that takes longer for next to nothing is as good as away. */
const DATABASE_MILLISECONDS = 5_000
/** A look that has got no answer for so long is lost, as with its connection, and another one begins. */
const LOST_MILLISECONDS = 60_000
/** A process that has not applied what was committed so long ago tells clients what is not true any more. */
const BEHIND_MILLISECONDS = 5_000

/** The log of an organization, as far as it matters here. */
interface FollowedLog {
  readonly organization: { readonly id: number; readonly position: number }
}

export interface HealthOptions {
  readonly reads: Db
  readonly logs: { loaded(): readonly FollowedLog[] }
}

/** What keeps a process from serving. Those who are told of it are not logged in, so it has no names. */
export type Problem =
  /** The database takes no writes. */
  | { readonly what: 'database_read_only' }
  | { readonly what: 'database_unreachable' }
  /** A write has just failed, since there is no room for it. */
  | { readonly what: 'database_full' }
  /** The database does not answer; it was waited for so long. */
  | { readonly what: 'database_silent'; readonly seconds: number }
  /** What was committed of some organizations is not applied here, and for how long. */
  | { readonly what: 'events_behind'; readonly organizations: number; readonly seconds: number }

export interface Health {
  /** What keeps this process from serving; nothing, where it is ready. It never rejects. */
  problems(): Promise<readonly Problem[]>
  /** Notes that a write has failed because the database has no room. The database counts as full for ten seconds then. */
  noteFull(): void
  /** How many events were committed, when it was looked last, that this process had not applied. */
  readonly behindEvents: number
}

/** How far an organization's log was written when it was looked for the first time since this process had caught up. */
interface Seen {
  readonly position: number
  readonly at: number
}

/** A look that is on its way. */
interface Look {
  readonly at: number
  /** Never rejects. */
  readonly found: Promise<readonly Problem[]>
}

/** A standby refuses to number a transaction; nothing is written for it into a table. */
const WRITABLE = `select pg_current_xact_id()::text, current_setting('transaction_read_only') = 'on' as "isReadOnly"`
const READ_ONLY_CODE = '25006'
const READ_ONLY: Problem = { what: 'database_read_only' }

const FULL: Problem = { what: 'database_full' }
/** A write that is tried again by then says whether there is still no room. */
const FULL_MILLISECONDS = 10_000

const POSITIONS = 'select id, position from organizations where id = any($1::bigint[])'

/** Looks whether this process can do its work: the database takes writes, and what was committed is applied. */
export function openHealth({ reads, logs }: HealthOptions): Health {
  const behind = new Map<number, Seen>()
  let behindEvents = 0
  let looking: Look | undefined
  let fullAt = -Infinity
  let latest: { readonly at: number; readonly problems: Promise<readonly Problem[]> } | undefined

  const look = async (): Promise<readonly Problem[]> => {
    const before = performance.now()
    const loaded = new Map(logs.loaded().map((log) => [log.organization.id, log]))
    const [writable] = await reads.rows<{ isReadOnly: boolean }>('health_writable', WRITABLE, [])
    if (writable?.isReadOnly === true) return [READ_ONLY]
    const rows = await reads.rows<{ id: number; position: number }>('health_positions', POSITIONS, [[...loaded.keys()]])
    behindEvents = 0
    // A log that left memory meanwhile is read when it is opened again.
    for (const id of behind.keys()) if (!loaded.has(id)) behind.delete(id)
    for (const { id, position } of rows) {
      const applied = loaded.get(id)?.organization.position ?? position
      behindEvents += Math.max(0, position - applied)
      const seen = behind.get(id)
      if (seen !== undefined && applied >= seen.position) behind.delete(id)
      if (applied < position && !behind.has(id)) behind.set(id, { position, at: before })
    }
    const late = [...behind.values()].filter(({ at }) => before - at >= BEHIND_MILLISECONDS)
    if (late.length === 0) return []
    const seconds = Math.round(Math.max(...late.map(({ at }) => before - at)) / 1_000)
    return [{ what: 'events_behind', organizations: late.length, seconds }]
  }

  const begin = (): Look => {
    const found = look().catch((error: unknown): readonly Problem[] => {
      // What the driver says names hosts and users.
      const isReadOnly = error instanceof Error && 'code' in error && error.code === READ_ONLY_CODE
      return [isReadOnly ? READ_ONLY : { what: 'database_unreachable' }]
    })
    const begun = { at: performance.now(), found }
    void found.then(() => {
      if (looking === begun) looking = undefined
    })
    return begun
  }

  /** What the look that is on its way finds, or that it takes too long: while the database hangs, no other one is begun. */
  const inTime = async (): Promise<readonly Problem[]> => {
    if (looking === undefined || performance.now() - looking.at >= LOST_MILLISECONDS) looking = begin()
    const { at, found } = looking
    const answered = new AbortController()
    const left = Math.max(0, at + DATABASE_MILLISECONDS - performance.now())
    const late = sleep(left, undefined, { signal: answered.signal }).then((): readonly Problem[] => [
      { what: 'database_silent', seconds: Math.round((performance.now() - at) / 1_000) },
    ])
    // It is aborted when the database was faster.
    late.catch(() => undefined)
    try {
      return await Promise.race([found, late])
    } finally {
      answered.abort()
    }
  }

  return {
    problems() {
      if (latest === undefined || performance.now() - latest.at >= KEEP_MILLISECONDS) {
        latest = { at: performance.now(), problems: inTime() }
      }
      return latest.problems.then((problems) =>
        performance.now() - fullAt < FULL_MILLISECONDS ? [FULL, ...problems] : problems,
      )
    },
    noteFull() {
      fullAt = performance.now()
    },
    get behindEvents() {
      return behindEvents
    },
  }
}
