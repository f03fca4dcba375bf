import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import type { Outage } from '../db/outage.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { repeatEvery } from '../jobs/every.ts'
import type { UseLog } from '../log/logs.ts'
import type { LogObserver } from '../log/observer.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LogRow } from '../log/row.ts'
import type { Logger } from '../logger.ts'
import type { Pace } from '../pace.ts'
import type { Consumer } from './consumer.ts'
import { organizationsWithUnhandledEvents, storeClearPositions } from './cursors.ts'
import { OrganizationConsumer, type ConsumerCounts, type ConsumerContext } from './organization-consumer.ts'

/** Interval at which `clear_position` is saved. After a crash, up to this much of the log is read again. */
const SAVE_POSITIONS_INTERVAL_MILLISECONDS = 5_000
/** Interval at which servers look for organizations with events that a stopped process left unhandled. */
const TAKE_OVER_INTERVAL_MILLISECONDS = 30_000
const MAX_WAIT_MILLISECONDS = 5_000

export interface ConsumersOptions {
  readonly reads: Db
  /** Separate from `reads`, which must not wait behind a commit that waits for a standby. */
  readonly writes: Db
  readonly logger: Logger
  readonly outage: Pick<Outage, 'report'>
  readonly shared: boolean
  readonly useLog: UseLog
  readonly pace: Pace
}

export interface ConsumerReport extends Readonly<ConsumerCounts> {
  readonly name: string
  readonly lag: number
  readonly lagSeconds: number
}

/** Consumers of this process. Until `begin`, they follow the log without handling events. */
export class Consumers implements LogObserver {
  readonly #consumers: readonly Consumer[]
  readonly #options: ConsumersOptions
  readonly #counts: ReadonlyMap<string, ConsumerCounts>
  readonly #closing = new AbortController()
  readonly #around: ConsumerContext
  readonly #byLog = new Map<OrganizationLog, readonly OrganizationConsumer[]>()
  readonly #stored = new Map<OrganizationConsumer, number>()
  #timers: readonly ReturnType<typeof repeatEvery>[] = []
  #opening: Promise<void> = Promise.resolve()
  #hasBegun = false

  constructor(consumers: readonly Consumer[], options: ConsumersOptions) {
    this.#consumers = consumers
    this.#options = options
    this.#counts = new Map(consumers.map(({ name }) => [name, { runs: 0, events: 0, failures: 0, skipped: 0 }]))
    this.#around = {
      reads: options.reads,
      logger: options.logger,
      outage: options.outage,
      closing: this.#closing.signal,
      pace: options.pace,
    }
  }

  opened(log: OrganizationLog): void {
    const here = this.#consumers.map((consumer) => {
      const counts = this.#counts.get(consumer.name)
      if (counts === undefined) throw new Error(`unknown consumer ${consumer.name}`)
      return new OrganizationConsumer(consumer, counts, log, this.#around)
    })
    this.#byLog.set(log, here)
    this.written(log)
  }

  isNeeded(log: OrganizationLog): boolean {
    return this.#of(log).some(({ lag, clearPosition }) => lag > 0 || clearPosition === undefined)
  }

  closed(log: OrganizationLog): void {
    for (const consumer of this.#of(log)) this.#stored.delete(consumer)
    this.#byLog.delete(log)
  }

  applied(log: OrganizationLog, row: LogRow): void {
    for (const consumer of this.#of(log)) consumer.follow(row)
  }

  written(log: OrganizationLog): void {
    if (!this.#hasBegun) return
    for (const consumer of this.#of(log)) consumer.wake()
  }

  /** Waits, up to a limit, until a consumer has handled an event. Returns undefined if the event is not pending. */
  handled<Outcome>(
    log: OrganizationLog,
    { name }: Consumer<Outcome>,
    position: number,
  ): Promise<Outcome | undefined> | undefined {
    if (!this.#hasBegun) return undefined
    const handled = this.#of(log)
      .find((consumer) => consumer.name === name)
      ?.handled(position)
    // Safe: a consumer's outcomes come from its own `run`.
    return handled === undefined ? undefined : (waitWithTimeout(handled) as Promise<Outcome | undefined>)
  }

  begin(): void {
    this.#hasBegun = true
    const { outage, shared, pace } = this.#options
    const report = (error: unknown): void => outage.report(error, 'consumers')
    for (const log of this.#byLog.keys()) this.written(log)
    this.#timers = [
      repeatEvery(pace.consumerPollMilliseconds, async () => this.#takeOver(), report),
      repeatEvery(SAVE_POSITIONS_INTERVAL_MILLISECONDS, async () => this.saveCursors(), report),
      ...(shared ? [repeatEvery(TAKE_OVER_INTERVAL_MILLISECONDS, async () => this.#openLeft(), report)] : []),
    ]
    this.#opening = this.#openLeft().catch(report)
  }

  async saveState(): Promise<void> {
    await this.saveCursors()
  }

  async saveProgress(): Promise<readonly string[]> {
    await this.saveCursors()
    return this.#consumers.map(({ name }) => name)
  }

  async saveCursors(): Promise<void> {
    if (!this.#hasBegun) return
    const clear = new Map<string, Map<OrganizationConsumer, number>>()
    for (const consumer of this.#all()) {
      const position = consumer.clearPosition
      if (position === undefined || position <= (this.#stored.get(consumer) ?? 0)) continue
      const positions = clear.get(consumer.name) ?? new Map<OrganizationConsumer, number>()
      clear.set(consumer.name, positions.set(consumer, position))
    }
    for (const [name, positions] of clear) {
      const byOrganization = new Map([...positions].map(([consumer, position]) => [consumer.organizationId, position]))
      await storeClearPositions(this.#options.writes, name, byOrganization)
      for (const [consumer, position] of positions) this.#stored.set(consumer, position)
    }
  }

  reports(): ConsumerReport[] {
    return [...this.#counts].map(([name, counts]) => {
      const own = [...this.#all()].filter((consumer) => consumer.name === name)
      return {
        name,
        ...counts,
        lag: own.reduce((sum, { lag }) => sum + lag, 0),
        lagSeconds: Math.max(0, ...own.map(({ waitingMilliseconds }) => waitingMilliseconds)) / 1_000,
      }
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#opening, ...this.#timers.map(async (timer) => timer.close())])
    for (const consumer of this.#all()) await consumer.idle()
    await this.saveCursors().catch((error: unknown) => {
      // Ignores an outage: without saved positions, the next process only reads more of the log again.
      if (!isUnavailable(error)) throw error
    })
  }

  #of(log: OrganizationLog): readonly OrganizationConsumer[] {
    return this.#byLog.get(log) ?? []
  }

  *#all(): Iterable<OrganizationConsumer> {
    for (const consumers of this.#byLog.values()) yield* consumers
  }

  /** Takes over events that have waited a full interval: normally, the process that wrote them handles them at once. */
  #takeOver(): void {
    const { consumerPollMilliseconds } = this.#options.pace
    for (const consumer of this.#all()) if (consumer.waitingMilliseconds >= consumerPollMilliseconds) consumer.wake()
  }

  async #openLeft(): Promise<void> {
    const { reads, shared, useLog } = this.#options
    const names = this.#consumers.map(({ name }) => name)
    // Skips recent events, which the process that wrote them will handle.
    const age = shared ? TAKE_OVER_INTERVAL_MILLISECONDS / 1_000 : 0
    for (const organizationId of await organizationsWithUnhandledEvents(
      reads,
      names,
      Math.floor(Date.now() / 1_000) - age,
    )) {
      if (this.#closing.signal.aborted) return
      // Opening the log reads the events, and keeps the log open while some of them are unhandled.
      await useLog(organizationId, () => undefined)
    }
  }
}

async function waitWithTimeout(handled: Promise<unknown>): Promise<unknown> {
  const answered = new AbortController()
  const timeout = sleep(MAX_WAIT_MILLISECONDS, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([handled, timeout])
  } finally {
    answered.abort()
  }
}
