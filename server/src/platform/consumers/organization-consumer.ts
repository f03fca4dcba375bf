import { setTimeout as sleep } from 'node:timers/promises'
import { eventName } from '../../kernel/event.ts'
import { changesOf } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Outage } from '../db/outage.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LogRow } from '../log/row.ts'
import type { Logger } from '../logger.ts'
import type { Pace } from '../pace.ts'
import type { ConsumedEvent, Consumer } from './consumer.ts'
import { consumerCursors, eventsBetween, moveCursor, readStoredCursor, type CursorChange } from './cursors.ts'

/** Limits how long a transaction holds the organization's lock. */
const MAX_EVENTS_PER_RUN = 100
const MAX_GATHERED_EVENTS = 1_000
/** An event that fails this often when handled alone is skipped, after 13 seconds of pauses in total. */
const MAX_ATTEMPTS = 8
const MAX_RETRY_DELAY_MILLISECONDS = 10_000

export interface ConsumerCounts {
  runs: number
  events: number
  failures: number
  skipped: number
}

export interface ConsumerContext {
  readonly reads: Db
  readonly logger: Logger
  readonly outage: Pick<Outage, 'report'>
  readonly closing: AbortSignal
  readonly pace: Pick<Pace, 'gatherSecondMilliseconds' | 'consumerRetryMilliseconds'>
}

interface PendingEvent {
  readonly event: ConsumedEvent
  readonly pendingSinceMilliseconds: number
}

interface Waiter {
  readonly position: number
  readonly resolve: (outcome: unknown) => void
}

export class OrganizationConsumer {
  readonly name: string
  readonly counts: ConsumerCounts
  readonly #consumer: Consumer
  readonly #types: ReadonlySet<string>
  readonly #log: OrganizationLog
  readonly #around: ConsumerContext
  #pending: PendingEvent[] = []
  #waiters: Waiter[] = []
  /** Log position from which this process follows the log; undefined once earlier events have been read. */
  #unreadTo: number | undefined
  /** Number of events still to run one at a time after a failed batch, to find the failing event. */
  #alone = 0
  #failing = { position: 0, attempts: 0 }
  #failures = 0
  #isWorking = false
  #work: Promise<void> = Promise.resolve()

  constructor(consumer: Consumer, counts: ConsumerCounts, log: OrganizationLog, around: ConsumerContext) {
    this.name = consumer.name
    this.counts = counts
    this.#consumer = consumer
    this.#types = new Set(consumer.events.map(eventName))
    this.#log = log
    this.#around = around
    this.#unreadTo = log.organization.position
  }

  get organizationId(): number {
    return this.#log.organization.id
  }

  get lag(): number {
    return this.#pending.length
  }

  get waitingMilliseconds(): number {
    const [first] = this.#pending
    return first === undefined ? 0 : performance.now() - first.pendingSinceMilliseconds
  }

  /** Position up to which everything is handled; undefined until known. */
  get clearPosition(): number | undefined {
    if (this.#unreadTo !== undefined) return undefined
    const [first] = this.#pending
    return first === undefined ? this.#log.organization.position : first.event.position - 1
  }

  follow(row: LogRow): void {
    for (const change of changesOf(consumerCursors, row.changes)) this.#moved(change)
    if (this.#isNeeded(row)) this.#pending.push({ event: row, pendingSinceMilliseconds: performance.now() })
  }

  wake(): void {
    if (this.#isWorking || !this.#hasWork) return
    this.#isWorking = true
    this.#work = this.#handleAll()
  }

  /** Returns undefined if the event is not pending; otherwise resolves to its outcome, or undefined on failure. */
  handled(position: number): Promise<unknown> | undefined {
    if (this.#failures > 0 || !this.#pending.some(({ event }) => event.position === position)) return undefined
    return new Promise((resolve) => {
      this.#waiters.push({ position, resolve })
    })
  }

  async idle(): Promise<void> {
    await this.#work
  }

  get #hasWork(): boolean {
    return !this.#around.closing.aborted && (this.#unreadTo !== undefined || this.#isTime)
  }

  get #isTime(): boolean {
    if (this.#pending.length === 0) return false
    const milliseconds = (this.#consumer.gatherSeconds ?? 0) * this.#around.pace.gatherSecondMilliseconds
    return this.waitingMilliseconds >= milliseconds || this.#pending.length >= MAX_GATHERED_EVENTS
  }

  get #maxEvents(): number {
    if (this.#alone > 0) return 1
    return this.#consumer.gatherSeconds === undefined ? MAX_EVENTS_PER_RUN : MAX_GATHERED_EVENTS
  }

  #isNeeded(event: ConsumedEvent): boolean {
    if (!this.#types.has(event.type)) return false
    try {
      return this.#consumer.isNeeded?.(this.#log.organization, event) ?? true
    } catch (error) {
      // The log must continue despite the error, so the event counts as needed.
      this.#report(error, 'consumer cannot tell whether it is needed', event.position)
      return true
    }
  }

  #moved({ name, position, outcomes }: CursorChange): void {
    if (name !== this.name) return
    this.#pending = this.#pending.filter(({ event }) => event.position > position)
    if (this.#waiters.length === 0) return
    const outcomeByPosition = new Map(outcomes)
    this.#resolveWaiters(position, (waiter) => outcomeByPosition.get(waiter.position))
  }

  #resolveWaiters(upTo: number, outcomeFor: (waiter: Waiter) => unknown): void {
    const due = this.#waiters.filter((waiter) => waiter.position <= upTo)
    this.#waiters = this.#waiters.filter((waiter) => waiter.position > upTo)
    for (const waiter of due) waiter.resolve(outcomeFor(waiter))
  }

  async #handleAll(): Promise<void> {
    while (this.#hasWork) {
      let tried: readonly ConsumedEvent[] = []
      try {
        await this.#readUnhandled()
        if (this.#isTime) await this.#run((events) => (tried = events))
        this.#failures = 0
        this.#alone = Math.max(this.#alone - 1, 0)
      } catch (error) {
        await this.#failed(error, tried)
      }
    }
    // Runs in the same turn of the event loop as the check for pending events, so the next call starts a new round.
    this.#isWorking = false
  }

  async #readUnhandled(): Promise<void> {
    if (this.#unreadTo === undefined) return
    const { organization } = this.#log
    const found: PendingEvent[] = []
    let after = await readStoredCursor(this.#around.reads, organization.id, this.name)
    for (let isAll = false; !isAll;) {
      const range = { after, upTo: this.#unreadTo }
      const read = await eventsBetween(this.#around.reads, organization.id, [...this.#types], range)
      for (const event of read.events) {
        if (this.#isNeeded(event)) found.push({ event, pendingSinceMilliseconds: performance.now() })
      }
      isAll = read.isAll
      after = read.events.at(-1)?.position ?? after
    }
    // Drops events that another process has already handled.
    const cursor = organization.of(consumerCursors).get(this.name) ?? 0
    this.#pending = [...found.filter(({ event }) => event.position > cursor), ...this.#pending]
    this.#unreadTo = undefined
  }

  async #run(begin: (events: readonly ConsumedEvent[]) => void): Promise<void> {
    const done = { events: 0, skipped: 0 }
    await this.#log.write(async (tx) => {
      // Under the lock, this process has read the whole log, so pending events are those that no process has handled.
      const events = this.#pending.slice(0, this.#maxEvents).map(({ event }) => event)
      const last = events.at(-1)
      if (last === undefined) return
      begin(events)
      const outcomes = new Map<number, unknown>()
      if (this.#isGivenUp(last)) done.skipped = 1
      else {
        await this.#consumer.run(tx, events, outcomes)
        done.events = events.length
      }
      await moveCursor(tx, { name: this.name, position: last.position, outcomes: [...outcomes] })
    })
    this.counts.runs += done.events > 0 ? 1 : 0
    this.counts.events += done.events
    this.counts.skipped += done.skipped
  }

  #isGivenUp({ position }: ConsumedEvent): boolean {
    return this.#failing.position === position && this.#failing.attempts >= MAX_ATTEMPTS
  }

  async #failed(error: unknown, tried: readonly ConsumedEvent[]): Promise<void> {
    this.counts.failures += 1
    this.#failures += 1
    // Release waiting requests without an outcome rather than delaying them.
    this.#resolveWaiters(Infinity, () => undefined)
    const [first] = tried
    // An unreachable database is no reason to skip an event.
    if (first === undefined || isUnavailable(error)) {
      if (this.#failures === 1) this.#around.outage.report(error, 'consumer cannot run', this.#details(first?.position))
      return this.#pause(this.#failures)
    }
    this.#report(error, 'consumer failed', first.position)
    if (tried.length > 1) {
      this.#alone = tried.length
      return
    }
    const attempts = this.#failing.position === first.position ? this.#failing.attempts + 1 : 1
    this.#failing = { position: first.position, attempts }
    this.#alone = Math.max(this.#alone, 1)
    if (attempts < MAX_ATTEMPTS) return this.#pause(attempts)
    this.#around.logger.error(this.#details(first.position), 'consumer skipped a repeatedly failing event')
  }

  async #pause(failures: number): Promise<void> {
    const { pace, closing } = this.#around
    const milliseconds = Math.min(pace.consumerRetryMilliseconds * 2 ** (failures - 1), MAX_RETRY_DELAY_MILLISECONDS)
    await sleep(milliseconds, undefined, { signal: closing }).catch(() => undefined)
  }

  #report(error: unknown, message: string, position: number | undefined): void {
    this.#around.logger.error({ err: error, ...this.#details(position) }, message)
  }

  #details(position: number | undefined): object {
    return { consumer: this.name, organizationId: this.organizationId, position }
  }
}
