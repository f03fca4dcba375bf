import { stopwatch } from '../../kernel/steady-time.ts'
import { countLogOpening } from '../metrics/counts.ts'
import type { OrganizationLog } from './organization-log.ts'

/** Above this number, unneeded logs are closed immediately: requests to many host names must not fill memory. */
const MAX_OPEN_LOGS = 500
const LOGS_CLOSED_IN_ADVANCE = 50

interface IdleLogsOptions {
  readonly idleSeconds: number
  readonly mostOpen?: number
  readonly isNeeded: (log: OrganizationLog) => boolean
  /** Whether clients may still return for events. */
  readonly isExpected: (log: OrganizationLog) => boolean
  readonly saveState: (logs: readonly OrganizationLog[]) => Promise<void>
  readonly close: (organizationId: number) => void
}

interface OpenHandle {
  readonly handle: LogHandle
  readonly log: OrganizationLog
  readonly uses: number
}

export class IdleLogs {
  readonly #handles: ReadonlyMap<number, LogHandle>
  readonly #options: IdleLogsOptions
  readonly #mostOpen: number
  #checkAbove: number
  #closing: Promise<void> | undefined

  constructor(handles: ReadonlyMap<number, LogHandle>, options: IdleLogsOptions) {
    this.#handles = handles
    this.#options = options
    this.#mostOpen = options.mostOpen ?? MAX_OPEN_LOGS
    this.#checkAbove = this.#mostOpen
  }

  /** Closes idle logs. Logs that something still needs count as just used. */
  async close(): Promise<void> {
    const [needed, others] = this.#found()
    for (const { handle } of needed) handle.touch()
    const since = stopwatch.now() - this.#options.idleSeconds * 1_000
    await this.#leave(others.filter(({ handle }) => handle.usedAt <= since))
    this.#checkAbove = this.#mostOpen
  }

  async closeSurplus(): Promise<void> {
    if (this.#handles.size <= this.#checkAbove || this.#closing !== undefined) return
    this.#closing = this.#closeSurplus().finally(() => (this.#closing = undefined))
    await this.#closing
  }

  async #closeSurplus(): Promise<void> {
    const others = this.#found()[1].filter(({ log }) => !this.#options.isExpected(log))
    const surplus = Math.max(0, this.#handles.size - this.#mostOpen) + LOGS_CLOSED_IN_ADVANCE
    await this.#leave(others.toSorted((one, other) => one.handle.usedAt - other.handle.usedAt).slice(0, surplus))
    this.#checkAbove = Math.max(this.#mostOpen, this.#handles.size + LOGS_CLOSED_IN_ADVANCE)
  }

  #found(): readonly [needed: readonly OpenHandle[], others: readonly OpenHandle[]] {
    const needed: OpenHandle[] = []
    const others: OpenHandle[] = []
    for (const handle of this.#handles.values()) {
      const { log, uses } = handle
      if (log === undefined) continue
      const group = this.#isNeeded(handle, log) ? needed : others
      group.push({ handle, log, uses })
    }
    return [needed, others]
  }

  #isNeeded(handle: LogHandle, log: OrganizationLog): boolean {
    return handle.isInUse || log.isBusy || this.#options.isNeeded(log)
  }

  async #leave(handles: readonly OpenHandle[]): Promise<void> {
    if (handles.length === 0) return
    await this.#options.saveState(handles.map(({ log }) => log))
    for (const { handle, log, uses } of handles) {
      const { id } = log.organization
      // Skips logs that a request has used during the save, and organizations that are gone.
      if (handle.uses !== uses || this.#handles.get(id) !== handle || this.#isNeeded(handle, log)) continue
      this.#options.close(id)
      countLogOpening('closed')
    }
  }
}

/** Keeps a log open while it is in use. Use a handle only in the event loop turn in which you looked it up. */
export class LogHandle {
  readonly opening: Promise<OrganizationLog>
  #log: OrganizationLog | undefined
  #users = 0
  #uses = 0
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(opening: Promise<OrganizationLog>) {
    this.opening = opening
    opening.then(
      (log) => (this.#log = log),
      // Ignores the error, which callers that await `opening` receive.
      () => undefined,
    )
  }

  get log(): OrganizationLog | undefined {
    return this.#log
  }

  get uses(): number {
    return this.#uses
  }

  get isInUse(): boolean {
    return this.#users > 0
  }

  get usedAt(): number {
    return this.#usedAt
  }

  touch(): void {
    this.#usedAt = stopwatch.now()
  }

  use<Result>(work: (log: OrganizationLog) => Result): Result | Promise<Awaited<Result>> {
    const log = this.#log
    if (log !== undefined) return this.#during(() => work(log))
    return this.#during(async (): Promise<Awaited<Result>> => await work(await this.opening))
  }

  keep(): void {
    this.#users += 1
  }

  #during<Result>(work: () => Result): Result {
    this.#users += 1
    this.#uses += 1
    const end = (): void => {
      this.#users -= 1
    }
    let result: Result
    try {
      result = work()
    } catch (error) {
      end()
      throw error
    }
    // Avoids promises if possible, so that thousands of polls are answered or parked in one turn of the event loop.
    if (result instanceof Promise) result.then(end, end)
    else end()
    return result
  }
}
