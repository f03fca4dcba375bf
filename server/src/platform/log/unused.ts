import { stopwatch } from '../../kernel/steady-time.ts'
import { countOpening } from '../metrics/counts.ts'
import type { LogHandle } from './handle.ts'
import type { OrganizationLog } from './organization-log.ts'

/** Beyond this many open logs, those that are not needed are closed at once, so that a sweep over all host names does not fill memory. */
const MOST_OPEN = 500
/** After that, this many more may be opened before the next look. */
const ROOM = 50

interface UnusedOptions {
  /** A log that has not been used for this long is closed. */
  readonly idleSeconds: number
  readonly mostOpen?: number
  /** Whether something goes on in a log that keeps it open, although no request is being answered with it. */
  readonly isNeeded: (log: OrganizationLog) => boolean
  /** Whether clients were there so lately that some may be on their way to what they have not got yet. */
  readonly isExpected: (log: OrganizationLog) => boolean
  /** Stores what memory alone knows of some logs. */
  readonly leave: (logs: readonly OrganizationLog[]) => Promise<void>
  /** Has a log hear and do nothing more when it returns. */
  readonly close: (organizationId: number) => void
}

interface OpenHandle {
  readonly handle: LogHandle
  readonly log: OrganizationLog
  readonly uses: number
}

/** Closes logs that are not in use. */
export class Unused {
  readonly #handles: ReadonlyMap<number, LogHandle>
  readonly #options: UnusedOptions
  readonly #mostOpen: number
  /** When more than this many are open, there is a look for what can be closed. */
  #lookBeyond: number
  #closing: Promise<void> | undefined

  constructor(handles: ReadonlyMap<number, LogHandle>, options: UnusedOptions) {
    this.#handles = handles
    this.#options = options
    this.#mostOpen = options.mostOpen ?? MOST_OPEN
    this.#lookBeyond = this.#mostOpen
  }

  /** Closes those that have not been used for a while. What is needed now counts as used. */
  async close(): Promise<void> {
    const [needed, others] = this.#found()
    for (const { handle } of needed) handle.touch()
    const since = stopwatch.now() - this.#options.idleSeconds * 1_000
    await this.#leave(others.filter(({ handle }) => handle.usedAt <= since))
    this.#lookBeyond = this.#mostOpen
  }

  /** Closes those that were used longest ago, when too many are open. */
  async makeRoom(): Promise<void> {
    if (this.#handles.size <= this.#lookBeyond || this.#closing !== undefined) return
    this.#closing = this.#closeSurplus().finally(() => (this.#closing = undefined))
    await this.#closing
  }

  async #closeSurplus(): Promise<void> {
    const others = this.#found()[1].filter(({ log }) => !this.#options.isExpected(log))
    const surplus = Math.max(0, this.#handles.size - this.#mostOpen) + ROOM
    await this.#leave(others.toSorted((one, other) => one.handle.usedAt - other.handle.usedAt).slice(0, surplus))
    this.#lookBeyond = Math.max(this.#mostOpen, this.#handles.size + ROOM)
  }

  /** Those that are open: what has to stay so, and the others. */
  #found(): readonly [needed: readonly OpenHandle[], others: readonly OpenHandle[]] {
    const [needed, others] = [[] as OpenHandle[], [] as OpenHandle[]]
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
    await this.#options.leave(handles.map(({ log }) => log))
    for (const { handle, log, uses } of handles) {
      const { id } = log.organization
      // A request may have come meanwhile, or the organization may be gone.
      if (handle.uses !== uses || this.#handles.get(id) !== handle || this.#isNeeded(handle, log)) continue
      this.#options.close(id)
      countOpening('closed')
    }
  }
}
