import { setTimeout as sleep } from 'node:timers/promises'
import { eventName } from '../../kernel/event.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Outage } from '../db/outage.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LogRow } from '../log/row.ts'
import type { Logger } from '../logger.ts'
import type { Pace } from '../pace.ts'
import type { ConsumedEvent, Consumer } from './consumer.ts'
import { consumerCursors, eventsBetween, moveCursor, storedCursor, type CursorChange } from './cursors.ts'

/** Events that one transaction handles: it holds the organization's lock meanwhile. */
const MAX_RUN_EVENTS = 100
/** The same of a consumer that gathers them: so many are not held in memory for longer. */
const MAX_GATHERED_EVENTS = 1_000
/** An event that fails so often by itself is left out, after 13 seconds of pauses in all. */
const MAX_ATTEMPTS = 8
const LONGEST_PAUSE_MILLISECONDS = 10_000

/** Counted for each consumer since the process began. */
export interface ConsumerCounts {
  runs: number
  events: number
  failures: number
  /** Events that were left out because they failed again and again. */
  skipped: number
}

/** What the consumers of a process share. */
export interface ConsumerSurroundings {
  readonly reads: Db
  readonly logger: Logger
  readonly outage: Pick<Outage, 'report'>
  readonly closing: AbortSignal
  readonly pace: Pick<Pace, 'gatherSecondMilliseconds' | 'consumerRetryMilliseconds'>
}

interface PendingEvent {
  readonly event: ConsumedEvent
  /** When this process heard of it, by `performance.now()`. */
  readonly since: number
}

interface Waiter {
  readonly position: number
  readonly resolve: (outcome: unknown) => void
}

/** One consumer in one organization, as this process knows it by following the log. */
export class OrganizationConsumer {
  readonly name: string
  readonly counts: ConsumerCounts
  readonly #consumer: Consumer
  readonly #types: ReadonlySet<string>
  readonly #log: OrganizationLog
  readonly #around: ConsumerSurroundings
  /** Events behind the cursor that need the consumer, in the order of the log. */
  #pending: PendingEvent[] = []
  #waiters: Waiter[] = []
  /** The position up to which the log was written before this process followed it; undefined once that is read. */
  #unreadTo: number | undefined
  /** After a run of several failed, how many of them still run alone, so that the one that fails is found. */
  #alone = 0
  /** The event that fails, and how often it did alone. */
  #failing = { position: 0, attempts: 0 }
  /** Failures since the last success, whatever the reason. */
  #failures = 0
  #isWorking = false
  #work: Promise<void> = Promise.resolve()

  constructor(consumer: Consumer, counts: ConsumerCounts, log: OrganizationLog, around: ConsumerSurroundings) {
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

  /** Events that are known to be left. */
  get behind(): number {
    return this.#pending.length
  }

  /** How long the oldest of them has been known, in milliseconds. */
  get waitingMilliseconds(): number {
    const [first] = this.#pending
    return first === undefined ? 0 : performance.now() - first.since
  }

  /** The position up to which nothing is left; undefined while that is not known. */
  get clearPosition(): number | undefined {
    if (this.#unreadTo !== undefined) return undefined
    const [first] = this.#pending
    return first === undefined ? this.#log.organization.position : first.event.position - 1
  }

  /** Hears of the next event of the log, when it is applied. */
  follow(row: LogRow): void {
    for (const { fold, change } of row.changes ?? []) {
      // Only `moveCursor` records changes of this projection.
      if (fold === consumerCursors.name) this.#moved(change as CursorChange)
    }
    if (this.#isNeeded(row)) this.#pending.push({ event: row, since: performance.now() })
  }

  /** Handles what is left, unless that is being done. */
  wake(): void {
    if (this.#isWorking || !this.#hasWork) return
    this.#isWorking = true
    this.#work = this.#handleAll()
  }

  /**
   * Waits until an event is handled, by whichever process.
   * @returns undefined at once where that is not to be waited for; else its outcome, which is undefined where there is
   * none or the consumer fails
   */
  handled(position: number): Promise<unknown> | undefined {
    if (this.#failures > 0 || !this.#pending.some(({ event }) => event.position === position)) return undefined
    return new Promise((resolve) => {
      this.#waiters.push({ position, resolve })
    })
  }

  /** Resolves when nothing is being handled any more. */
  async idle(): Promise<void> {
    await this.#work
  }

  get #hasWork(): boolean {
    return !this.#around.closing.aborted && (this.#unreadTo !== undefined || this.#isTime)
  }

  /** Whether what is left has been gathered for long enough. */
  get #isTime(): boolean {
    if (this.#pending.length === 0) return false
    const milliseconds = (this.#consumer.gatherSeconds ?? 0) * this.#around.pace.gatherSecondMilliseconds
    return this.waitingMilliseconds >= milliseconds || this.#pending.length >= MAX_GATHERED_EVENTS
  }

  get #maxEvents(): number {
    if (this.#alone > 0) return 1
    return this.#consumer.gatherSeconds === undefined ? MAX_RUN_EVENTS : MAX_GATHERED_EVENTS
  }

  #isNeeded(event: ConsumedEvent): boolean {
    if (!this.#types.has(event.type)) return false
    try {
      return this.#consumer.isNeeded?.(this.#log.organization, event) ?? true
    } catch (error) {
      // The log goes on, and `run` may know better.
      this.#report(error, 'consumer cannot tell whether it is needed', event.position)
      return true
    }
  }

  #moved({ name, position, outcomes }: CursorChange): void {
    if (name !== this.name) return
    this.#pending = this.#pending.filter(({ event }) => event.position > position)
    if (this.#waiters.length === 0) return
    const told = new Map(outcomes)
    this.#tell(position, (waiter) => told.get(waiter.position))
  }

  #tell(upTo: number, outcomeFor: (waiter: Waiter) => unknown): void {
    const due = this.#waiters.filter((waiter) => waiter.position <= upTo)
    this.#waiters = this.#waiters.filter((waiter) => waiter.position > upTo)
    for (const waiter of due) waiter.resolve(outcomeFor(waiter))
  }

  async #handleAll(): Promise<void> {
    while (this.#hasWork) {
      let tried: readonly ConsumedEvent[] = []
      try {
        await this.#lookBack()
        if (this.#isTime) await this.#run((events) => (tried = events))
        this.#failures = 0
        this.#alone = Math.max(this.#alone - 1, 0)
      } catch (error) {
        await this.#failed(error, tried)
      }
    }
    // This is the same turn in which nothing was left, so that the next call starts the next round.
    this.#isWorking = false
  }

  /** Reads, once, what was left in the log before this process followed it. */
  async #lookBack(): Promise<void> {
    if (this.#unreadTo === undefined) return
    const { organization } = this.#log
    const found: PendingEvent[] = []
    let after = await storedCursor(this.#around.reads, organization.id, this.name)
    for (let isAll = false; !isAll;) {
      const range = { after, upTo: this.#unreadTo }
      const read = await eventsBetween(this.#around.reads, organization.id, [...this.#types], range)
      for (const event of read.events) {
        if (this.#isNeeded(event)) found.push({ event, since: performance.now() })
      }
      isAll = read.isAll
      after = read.events.at(-1)?.position ?? after
    }
    // Another process may have handled some meanwhile.
    const cursor = organization.of(consumerCursors).get(this.name) ?? 0
    this.#pending = [...found.filter(({ event }) => event.position > cursor), ...this.#pending]
    this.#unreadTo = undefined
  }

  async #run(begin: (events: readonly ConsumedEvent[]) => void): Promise<void> {
    const done = { events: 0, skipped: 0 }
    await this.#log.write(async (tx) => {
      // Under the lock all of the log is followed: what is pending now is what no process has handled.
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
    // The requests that wait get no outcome instead of a long wait.
    this.#tell(Infinity, () => undefined)
    const [first] = tried
    // The database is away; that says nothing of the events, and is the same at each attempt.
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
    this.#around.logger.error(this.#details(first.position), 'consumer leaves out an event that failed again and again')
  }

  async #pause(failures: number): Promise<void> {
    const { pace, closing } = this.#around
    const milliseconds = Math.min(pace.consumerRetryMilliseconds * 2 ** (failures - 1), LONGEST_PAUSE_MILLISECONDS)
    await sleep(milliseconds, undefined, { signal: closing }).catch(() => undefined)
  }

  #report(error: unknown, message: string, position: number | undefined): void {
    this.#around.logger.error({ err: error, ...this.#details(position) }, message)
  }

  #details(position: number | undefined): object {
    return { consumer: this.name, organizationId: this.organizationId, position }
  }
}
