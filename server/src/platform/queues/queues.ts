import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LogRow } from '../log/row.ts'
import { openAnswers } from './answers.ts'
import { bufferedEvents } from './buffer.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'
import { QueueClock } from './idle.ts'
import { Lifecycle, type QueueOwner } from './lifecycle.ts'
import { Polling, type PollRequest } from './polling.ts'
import type { PollAnswer, QueueLimits } from './queue.ts'
import { Registries } from './registry.ts'
import { Sweeper } from './sweeping.ts'

export interface Queues {
  /**
   * Stores a registration whose client begins with what `snapshot` reads, and gets everything after its position.
   * @param lifespanSeconds how long the queue stays without use; where that is less than usual, as long as usual
   */
  register<Snapshot extends { readonly position: number }>(
    log: OrganizationLog,
    owner: QueueOwner,
    registration: Registration,
    lifespanSeconds: number,
    snapshot: () => Promise<Snapshot>,
  ): Promise<{ queueId: string; taken: Snapshot }>
  /** Parks or answers a poll: at once, unless something has to be read for it. */
  poll(log: OrganizationLog, request: PollRequest, poll: PollAnswer): Promise<void> | void
  remove(log: OrganizationLog, owner: QueueOwner, queueId: string): Promise<void>
  /** Whether a client waits for events of an organization here. */
  isWaitedAt(log: OrganizationLog): boolean
  /** Whether clients have asked for events of an organization so lately that what is kept for them here counts. */
  isExpectedAt(log: OrganizationLog): boolean
  /** Ends all that this process holds of an organization. Its queues are in the database, unless the organization is gone. */
  letGo(log: OrganizationLog): void
  deliver(log: OrganizationLog, row: LogRow): void
  /** Delivers an event that is not in the log to the queues that there are now. */
  deliverEphemeral(log: OrganizationLog, row: LogRow): void
  /** Collects idle queues and notes which are in use. */
  sweep(): Promise<void>
  /** The same for organizations that this process is about to let go of. */
  sweepOf(logs: readonly OrganizationLog[]): Promise<void>
  /** Answers every parked poll with nothing, so that clients ask again, another server or this one restarted. */
  close(): void
  /** For measurement: how many queues this process holds, and what of their events is in memory. */
  count(): { live: number; parked: number; bufferedEvents: number }
}

/** Puts the parts together: what a process holds (`registry.ts`), and who begins, fills, asks and collects it. */
export function openQueues(db: Kysely<Tables>, options: DeliveryOptions, limits: QueueLimits): Queues {
  const registries = new Registries(limits.heartbeatSeconds)
  const answers = openAnswers()
  const delivery = new Delivery(registries, answers, options)
  const clock = new QueueClock()
  const lifecycle = new Lifecycle(registries, delivery, { db, reads: options.reads, limits, clock })
  const polling = new Polling(registries, lifecycle, delivery, answers)
  const sweeper = new Sweeper(registries, db, limits, clock)
  return {
    register: (log, owner, registration, lifespanSeconds, snapshot) =>
      lifecycle.register(log, owner, registration, lifespanSeconds, snapshot),
    poll: (log, request, poll) => polling.poll(log, request, poll),
    remove: (log, owner, queueId) => lifecycle.remove(log, owner, queueId),
    isWaitedAt: (log) => registries.known(log)?.isWaitedAt === true,
    isExpectedAt: (log) => registries.known(log)?.isExpectedAt === true,
    letGo: (log) => registries.letGo(log),
    deliver: (log, row) => delivery.deliver(log, row),
    deliverEphemeral: (log, row) => delivery.deliverEphemeral(log, row),
    sweep: () => sweeper.sweep(),
    sweepOf: (logs) => sweeper.sweepOf(logs),
    close() {
      for (const registry of registries.all()) {
        for (const queue of registry.held.queues.values()) registry.unparkForNothing(queue)
      }
      answers.finish()
      for (const queue of registries.queues()) queue.letGo()
    },
    count() {
      const live = [...registries.queues()]
      const parked = live.filter((queue) => queue.isWaitedFor).length
      return { live: live.length, parked, bufferedEvents: bufferedEvents() }
    },
  }
}
