import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import { DatabaseBehindError } from '../db/unavailable.ts'
import { unpackRows } from './packing.ts'
import type { AppendedEvents, LogRow } from './row.ts'
import type { LoadedOrganizationState } from './organization-state.ts'

const MAX_EVENTS_PER_READ = 2_000
/** Time after which callers that wait for a log position are told to retry. */
const REACH_TIMEOUT_MILLISECONDS = 10_000

const EVENTS_AFTER_SQL = `
  select position, type, ref_id as "refId", audience, payload, changes from events
  where organization_id = $1 and position > $2 order by position limit ${MAX_EVENTS_PER_READ}`

interface Waiter {
  readonly position: number
  readonly run: (exact: boolean) => void
}

/** Applies the log in order, and passes events on. Reads other processes' commits after a notification or a gap. */
export class Follower {
  readonly organization: LoadedOrganizationState
  /** Separate from the pool: transactions that wait for the follower can occupy all of the pool's connections. */
  readonly #reads: Db
  readonly #deliver: (row: LogRow) => void
  readonly #missed: () => Promise<void>
  readonly #hydrate: (rows: readonly LogRow[]) => Promise<unknown>
  #waiters: Waiter[] = []
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined
  #committed = 0

  /** `missed` is called when committed events are missing; it rejects if the database lost them. */
  constructor(
    organization: LoadedOrganizationState,
    reads: Db,
    hydrate: (rows: readonly LogRow[]) => Promise<unknown>,
    deliver: (row: LogRow) => void,
    missed: () => Promise<void>,
  ) {
    this.#missed = missed
    this.organization = organization
    this.#reads = reads
    this.#hydrate = hydrate
    this.#deliver = deliver
  }

  /** Applies a commit of this process; resolves once the state has reached it. */
  async appended(commit: AppendedEvents): Promise<void> {
    this.#committed = Math.max(this.#committed, commit.head)
    await this.#hydrate(commit.rows)
    if (commit.base === this.organization.position) {
      for (const row of commit.rows) this.#step(row)
    } else if (this.organization.position < commit.head) {
      // The change is already committed, so the error is never reported as retryable.
      await this.#readTo(commit.head)
    }
  }

  /** Applies all commits that precede the call; concurrent callers share a read. */
  catchUp(): Promise<void> {
    if (this.#reading === undefined) return this.#begin()
    const begin = async (): Promise<void> => this.#begin()
    return (this.#next ??= this.#reading.then(begin, begin))
  }

  get isReading(): boolean {
    return this.#reading !== undefined
  }

  get known(): number {
    return Math.max(this.#committed, this.organization.position)
  }

  /** @throws DatabaseBehindError if the position cannot be read in time or no longer exists */
  async reach(position: number, milliseconds = REACH_TIMEOUT_MILLISECONDS): Promise<void> {
    if (this.organization.position >= position) return
    this.#committed = Math.max(this.#committed, position)
    const reached = new AbortController()
    const timeout = sleep(milliseconds, undefined, { signal: reached.signal }).then(() => {
      throw new DatabaseBehindError(`the log could not be read up to position ${position} in time`)
    })
    try {
      await Promise.race([this.#readTo(position), timeout])
    } finally {
      reached.abort()
    }
  }

  /** Reads up to a position. If the position is not found, a new primary may lack the commit. */
  async #readTo(position: number): Promise<void> {
    await this.catchUp()
    if (this.organization.position >= position) return
    await this.#missed()
    await this.catchUp()
    if (this.organization.position < position)
      throw new DatabaseBehindError(`the log does not have position ${position}`)
  }

  /** Runs `observe` when the state is at `position`, a commit's end; returns undefined if the state is past it. */
  async at<Result>(
    position: number,
    observe: () => Result,
    milliseconds = REACH_TIMEOUT_MILLISECONDS,
  ): Promise<Result | undefined> {
    if (this.organization.position === position) return observe()
    if (this.organization.position > position) return undefined
    const seen: { result?: Result; error?: unknown } = {}
    const waiter: Waiter = {
      position,
      run: (exact) => {
        if (!exact) return
        try {
          seen.result = observe()
        } catch (error) {
          seen.error = error
        }
      },
    }
    this.#waiters.push(waiter)
    try {
      await this.reach(position, milliseconds)
    } finally {
      // The waiter is left over only if the log could not be read.
      this.#waiters = this.#waiters.filter((other) => other !== waiter)
    }
    if ('error' in seen) throw seen.error
    return seen.result
  }

  #begin(): Promise<void> {
    this.#next = undefined
    this.#reading = this.#readToEnd().finally(() => {
      if (this.#next === undefined) this.#reading = undefined
    })
    return this.#reading
  }

  async #readToEnd(): Promise<void> {
    for (let isCut = true; isCut;) {
      const { id: organizationId, position } = this.organization
      // Safe: only this module's writer fills the jsonb columns.
      const rows = await this.#reads.rows<LogRow>('events_after', EVENTS_AFTER_SQL, [organizationId, position])
      const events = unpackRows(rows.filter((row) => row.position > this.organization.position))
      await this.#hydrate(events)
      for (const row of events) if (row.position > this.organization.position) this.#step(row)
      isCut = rows.length === MAX_EVENTS_PER_READ
    }
  }

  #step(row: LogRow): void {
    this.organization.apply(row)
    this.#deliver(row)
    if (this.#waiters.length === 0) return
    const due = this.#waiters.filter((waiter) => waiter.position <= row.position)
    this.#waiters = this.#waiters.filter((waiter) => waiter.position > row.position)
    for (const waiter of due) waiter.run(waiter.position === row.position)
  }
}
