import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { LogObserver } from '../log/observer.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { openPendingAnswers } from './answers.ts'
import { countBufferedEvents } from './buffer.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'
import { QueueClock, isInUse, keepsLogLoaded, wholeSteadySeconds } from './idle.ts'
import { QueueLifecycle, type QueueOwner } from './lifecycle.ts'
import { PollHandler, type PollRequest } from './polling.ts'
import type { PollAnswer, QueueLimits, LiveQueue } from './queue.ts'
import { Registries, type Registry } from './registry.ts'
import { deleteIdleQueues, deleteUnusedQueues, recordQueueUses, type QueueName } from './store.ts'

export interface Queues extends LogObserver {
  /** Registers a queue for the events after the snapshot. `lifespanSeconds` is the idle time to allow. */
  register<Snapshot extends { readonly position: number }>(
    log: OrganizationLog,
    owner: QueueOwner,
    registration: Registration,
    lifespanSeconds: number,
    snapshot: () => Promise<Snapshot>,
  ): Promise<{ queueId: string; taken: Snapshot }>
  poll(log: OrganizationLog, request: PollRequest, poll: PollAnswer): Promise<void> | void
  remove(log: OrganizationLog, owner: QueueOwner, queueId: string): Promise<void>
  /** Removes idle queues, and records the use of the other queues. */
  sweep(): Promise<void>
  /** Answers all waiting polls without events, so that clients poll another server, or this one after a restart. */
  close(): void
  count(): { live: number; parked: number; bufferedEvents: number }
}

/**
 * The life of an event in this module:
 * 1. `delivery.ts` gets each applied event and finds the queues of its audience.
 * 2. `encoding.ts` encodes the event once per client form, and the queue buffers it (`queue.ts`).
 * 3. `answers.ts` answers the waiting poll or continues the stream, in slices.
 * 4. The next poll's `last_event_id` acknowledges the event, which leaves the buffer (`polling.ts`).
 *
 * A queue that lags reads the same events from the log (`catchUp`). `registry.ts` holds the state.
 */
export function openQueues(db: Kysely<Tables>, options: DeliveryOptions, limits: QueueLimits): Queues {
  const registries = new Registries(limits.heartbeatSeconds)
  const answers = openPendingAnswers()
  const delivery = new Delivery(registries, answers, options)
  const clock = new QueueClock()
  const lifecycle = new QueueLifecycle(registries, delivery, { db, reads: options.reads, limits, clock })
  const polling = new PollHandler(registries, lifecycle, delivery, answers)
  const sweeper = new QueueSweeper(registries, db, limits, clock)
  return {
    register: (log, owner, registration, lifespanSeconds, snapshot) =>
      lifecycle.register(log, owner, registration, lifespanSeconds, snapshot),
    poll: (log, request, poll) => polling.poll(log, request, poll),
    remove: (log, owner, queueId) => lifecycle.remove(log, owner, queueId),
    applied: (log, row) => delivery.deliver(log, row),
    ephemeral: (log, row) => delivery.deliverEphemeral(log, row),
    isNeeded: (log) => registries.known(log)?.isWaitedAt === true,
    isExpected: (log) => registries.known(log)?.isExpectedAt === true,
    saveState: (logs) => sweeper.sweepOf(logs),
    // The queues stay in the database unless the organization is removed.
    closed: (log) => registries.letGo(log),
    sweep: () => sweeper.sweep(),
    close() {
      for (const registry of registries.all()) {
        for (const queue of registry.live.queues.values()) registry.unparkForNothing(queue)
      }
      answers.finish()
      for (const queue of registries.queues()) queue.close()
    },
    count() {
      const live = [...registries.queues()]
      const parked = live.filter((queue) => queue.isWaitedFor).length
      return { live: live.length, parked, bufferedEvents: countBufferedEvents() }
    },
  }
}

/** Idle time after which a queue is only in the database, no longer in memory. */
const MAX_IDLE_IN_MEMORY_SECONDS = 86_400

interface SweptQueue extends QueueName {
  readonly registry: Registry
  readonly queue: LiveQueue
  readonly at: number
}

class QueueSweeper {
  readonly #registries: Registries
  readonly #db: Kysely<Tables>
  readonly #limits: QueueLimits
  readonly #clock: QueueClock

  constructor(registries: Registries, db: Kysely<Tables>, limits: QueueLimits, clock: QueueClock) {
    this.#clock = clock
    this.#registries = registries
    this.#db = db
    this.#limits = limits
  }

  async sweep(): Promise<void> {
    const now = wholeSteadySeconds()
    await this.#sweep([...this.#registries.all()], now)
    const { idleSeconds } = this.#limits
    if (now - this.#clock.countsFrom > 2 * idleSeconds)
      await deleteUnusedQueues(this.#db, this.#clock.stored(now), idleSeconds)
  }

  async sweepOf(logs: readonly OrganizationLog[]): Promise<void> {
    await this.#sweep(
      logs.flatMap((log) => this.#registries.known(log) ?? []),
      wholeSteadySeconds(),
    )
  }

  async #sweep(registries: readonly Registry[], now: number): Promise<void> {
    const idle: SweptQueue[] = []
    const used: SweptQueue[] = []
    for (const registry of registries) {
      const organizationId = registry.log.organization.id
      for (const queue of registry.live.queues.values()) {
        const at = this.#clock.stored(queue.isWaitedFor ? now : queue.lastUsedAt)
        const group = isInUse(queue, this.#limits) ? used : idle
        group.push({ registry, queue, organizationId, id: queue.id, at })
      }
    }
    for (const { registry, queue } of idle) registry.forget(queue)
    for (const { queue } of used) if (!keepsLogLoaded(queue)) queue.close()
    await deleteIdleQueues(this.#db, idle, this.#clock.stored(now), this.#limits.idleSeconds)
    const existing = await recordQueueUses(this.#db, used)
    for (const swept of used) {
      const { registry, queue } = swept
      const isLeft = !queue.isWaitedFor && now - queue.lastUsedAt > MAX_IDLE_IN_MEMORY_SECONDS
      // Forgets queues that another server has deleted, or that have been idle for too long.
      if (!existing.has(swept) || isLeft) registry.forget(queue)
    }
  }
}
