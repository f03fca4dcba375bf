import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import type { Address } from '../http/routing.ts'

/** Probes come from several sides at once; one look answers all of this long. */
const KEEP_MILLISECONDS = 1_000
/** A database that takes longer for next to nothing is as good as away. */
const DATABASE_MILLISECONDS = 5_000
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

export interface Health {
  /** What keeps this process from serving, in sentences for those who run it; nothing, where it is ready. It never rejects. */
  problems(): Promise<readonly string[]>
  /** How many events were committed, when it was looked last, that this process had not applied. */
  readonly behindEvents: number
}

/** How far an organization's log was written when it was looked for the first time since this process had caught up. */
interface Seen {
  readonly position: number
  readonly at: number
}

/** A standby refuses to number a transaction; nothing is written for it into a table. */
const WRITABLE = `select pg_current_xact_id()::text, current_setting('transaction_read_only') = 'on' as "isReadOnly"`
const READ_ONLY_CODE = '25006'
const READ_ONLY = 'The database takes no writes.'

const POSITIONS = 'select id, position from organizations where id = any($1::bigint[])'

/** Looks whether this process can do its work: the database takes writes, and what was committed is applied. */
export function openHealth({ reads, logs }: HealthOptions): Health {
  const behind = new Map<number, Seen>()
  let behindEvents = 0
  let latest: { readonly at: number; readonly problems: Promise<readonly string[]> } | undefined

  const look = async (): Promise<readonly string[]> => {
    const before = performance.now()
    const loaded = new Map(logs.loaded().map((log) => [log.organization.id, log]))
    const [writable] = await reads.rows<{ isReadOnly: boolean }>('health_writable', WRITABLE, [])
    if (writable?.isReadOnly === true) return [READ_ONLY]
    const rows = await reads.rows<{ id: number; position: number }>('health_positions', POSITIONS, [[...loaded.keys()]])
    behindEvents = 0
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
    return [`The events of ${late.length} organizations were committed and not applied here, for ${seconds} seconds.`]
  }

  const inTime = async (): Promise<readonly string[]> => {
    const answered = new AbortController()
    const late = sleep(DATABASE_MILLISECONDS, undefined, { signal: answered.signal }).then(() => [
      `The database has not answered for ${DATABASE_MILLISECONDS / 1_000} seconds.`,
    ])
    // It is aborted when the database was faster.
    late.catch(() => undefined)
    try {
      return await Promise.race([look(), late])
    } catch (error) {
      // What the driver says names hosts and users.
      const isReadOnly = error instanceof Error && 'code' in error && error.code === READ_ONLY_CODE
      return [isReadOnly ? READ_ONLY : 'The database cannot be asked.']
    } finally {
      answered.abort()
    }
  }

  return {
    problems() {
      if (latest === undefined || performance.now() - latest.at >= KEEP_MILLISECONDS) {
        latest = { at: performance.now(), problems: inTime() }
      }
      return latest.problems
    },
    get behindEvents() {
      return behindEvents
    },
  }
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/**
 * `/healthz` answers as long as the process lives, and `/readyz` says with 503 that it should be asked nothing, and why. Both
 * ask for no login, since what looks at them has none; so what is wrong is said in general, without names.
 */
export function healthAddresses(health: Health): readonly Address[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      answer(exchange) {
        exchange.send(200, TEXT, 'The process lives.\n')
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      async answer(exchange) {
        const problems = await health.problems()
        if (problems.length === 0) exchange.send(200, TEXT, 'Ready.\n')
        else exchange.send(503, { ...TEXT, 'retry-after': '1' }, `${problems.join('\n')}\n`)
      },
    },
  ]
}
