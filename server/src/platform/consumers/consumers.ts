import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../kernel/transaction.ts'
import type { Outage } from '../db/outage.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { every } from '../jobs/every.ts'
import type { UseLog } from '../log/logs.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LogRow } from '../log/row.ts'
import type { Logger } from '../logger.ts'
import type { Pace } from '../pace.ts'
import type { Consumer } from './consumer.ts'
import { organizationsLeft, storeClearPositions } from './cursors.ts'
import { OrganizationConsumer, type ConsumerCounts, type ConsumerSurroundings } from './organization-consumer.ts'

/** How often it is stored how far nothing is left. After a crash as much of the log is read again. */
const CLEAR_MILLISECONDS = 5_000
/** How often several processes look for organizations whose process is gone, and which none of them has open. */
const ORGANIZATIONS_MILLISECONDS = 30_000
/** A request waits for so long at most for what has to happen after it. */
const LONGEST_WAIT_MILLISECONDS = 5_000

export interface ConsumersOptions {
  readonly reads: Db
  /** By which it stores how far nothing is left: a commit may wait for a standby, and no read is to wait for that. */
  readonly writes: Db
  readonly logger: Logger
  readonly outage: Pick<Outage, 'report'>
  /** Whether other processes may serve the same organizations. */
  readonly shared: boolean
  readonly useLog: UseLog
  readonly pace: Pace
}

/** What is known of a consumer in this process, of all organizations. */
export interface ConsumerReport extends Readonly<ConsumerCounts> {
  readonly name: string
  /** Events that are left. */
  readonly behind: number
  /** How long the oldest of them has been. */
  readonly behindSeconds: number
}

/** The consumers of the log in this process. Before `begin` they follow the log and handle nothing. */
export class Consumers {
  readonly #consumers: readonly Consumer[]
  readonly #options: ConsumersOptions
  readonly #counts: ReadonlyMap<string, ConsumerCounts>
  readonly #closing = new AbortController()
  readonly #around: ConsumerSurroundings
  readonly #byLog = new Map<OrganizationLog, readonly OrganizationConsumer[]>()
  /** What is stored already. */
  readonly #stored = new Map<OrganizationConsumer, number>()
  #timers: readonly ReturnType<typeof every>[] = []
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

  /** Begins to follow a log, before anything is applied to it. */
  opened(log: OrganizationLog): void {
    const here = this.#consumers.map((consumer) => {
      const counts = this.#counts.get(consumer.name)
      if (counts === undefined) throw new Error(`there is no consumer ${consumer.name}`)
      return new OrganizationConsumer(consumer, counts, log, this.#around)
    })
    this.#byLog.set(log, here)
    this.wake(log)
  }

  /** Whether something is left to be done in a log, or it is not known yet what is. */
  isNeeded(log: OrganizationLog): boolean {
    return this.#of(log).some(({ behind, clearPosition }) => behind > 0 || clearPosition === undefined)
  }

  /** Follows a log no longer, which is closed. */
  closed(log: OrganizationLog): void {
    for (const consumer of this.#of(log)) this.#stored.delete(consumer)
    this.#byLog.delete(log)
  }

  /** Hears of the next event of a log, when it is applied. */
  follow(log: OrganizationLog, row: LogRow): void {
    for (const consumer of this.#of(log)) consumer.follow(row)
  }

  /** Handles what is left in an organization: this process has just written there. */
  wake(log: OrganizationLog): void {
    if (!this.#hasBegun) return
    for (const consumer of this.#of(log)) consumer.wake()
  }

  /**
   * Waits, but not for ever, until what a consumer has to do after an event is done. For requests whose clients expect
   * to see it then.
   * @returns undefined at once where nothing is left to be done; else the outcome, where there is one
   */
  handled<Outcome>(
    log: OrganizationLog,
    { name }: Consumer<Outcome>,
    position: number,
  ): Promise<Outcome | undefined> | undefined {
    if (!this.#hasBegun) return undefined
    const handled = this.#of(log)
      .find((consumer) => consumer.name === name)
      ?.handled(position)
    // The outcomes of a consumer are what its own `run` put there.
    return handled === undefined ? undefined : (withinLongestWait(handled) as Promise<Outcome | undefined>)
  }

  /** Begins to handle events, also those that were left by processes that are gone. */
  begin(): void {
    this.#hasBegun = true
    const { outage, shared, pace } = this.#options
    const report = (error: unknown): void => outage.report(error, 'consumers')
    for (const log of this.#byLog.keys()) this.wake(log)
    this.#timers = [
      every(pace.consumerLookMilliseconds, async () => this.#takeOver(), report),
      every(CLEAR_MILLISECONDS, async () => this.settle(), report),
      ...(shared ? [every(ORGANIZATIONS_MILLISECONDS, async () => this.#openLeft(), report)] : []),
    ]
    this.#opening = this.#openLeft().catch(report)
  }

  /** Stores how far nothing is left. */
  async settle(): Promise<void> {
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

  /** What there is to be said of each consumer. */
  reports(): ConsumerReport[] {
    return [...this.#counts].map(([name, counts]) => {
      const own = [...this.#all()].filter((consumer) => consumer.name === name)
      return {
        name,
        ...counts,
        behind: own.reduce((sum, { behind }) => sum + behind, 0),
        behindSeconds: Math.max(0, ...own.map(({ waitingMilliseconds }) => waitingMilliseconds)) / 1_000,
      }
    })
  }

  /** Lets what is being handled end, and begins nothing more. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#opening, ...this.#timers.map(async (timer) => timer.close())])
    for (const consumer of this.#all()) await consumer.idle()
    await this.settle().catch((error: unknown) => {
      // What is not stored is looked through once more.
      if (!isUnavailable(error)) throw error
    })
  }

  #of(log: OrganizationLog): readonly OrganizationConsumer[] {
    return this.#byLog.get(log) ?? []
  }

  *#all(): Iterable<OrganizationConsumer> {
    for (const consumers of this.#byLog.values()) yield* consumers
  }

  /** Wakes consumers whose events have waited for a look: the process that writes an event handles it at once. */
  #takeOver(): void {
    const { consumerLookMilliseconds } = this.#options.pace
    for (const consumer of this.#all()) if (consumer.waitingMilliseconds >= consumerLookMilliseconds) consumer.wake()
  }

  /** Opens the organizations in which something was left; then it is read what that is. */
  async #openLeft(): Promise<void> {
    const { reads, shared, useLog } = this.#options
    const names = this.#consumers.map(({ name }) => name)
    // What another process wrote just now it will handle, and store that it did.
    const age = shared ? ORGANIZATIONS_MILLISECONDS / 1_000 : 0
    for (const organizationId of await organizationsLeft(reads, names, Math.floor(Date.now() / 1_000) - age)) {
      if (this.#closing.signal.aborted) return
      // Opened, it is read, and stays open for as long as something is left.
      await useLog(organizationId, () => undefined)
    }
  }
}

async function withinLongestWait(handled: Promise<unknown>): Promise<unknown> {
  const answered = new AbortController()
  const late = sleep(LONGEST_WAIT_MILLISECONDS, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([handled, late])
  } finally {
    answered.abort()
  }
}
