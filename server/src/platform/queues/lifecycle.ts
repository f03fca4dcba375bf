import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { Delivery } from './delivery.ts'
import { idleSecondsOf, isInUse, wholeSteadySeconds, type QueueClock } from './idle.ts'
import { LiveQueue, unknownQueueError, type PollLogin, type QueueLimits } from './queue.ts'
import type { Registries, Registry } from './registry.ts'
import { deleteIdleQueues, deleteQueue, queueReader, queueWriter, type QueueReader } from './store.ts'

export type QueueOwner = Pick<Actor, 'userId' | 'sessionId' | 'token'>

export function pollLoginOf({ sessionId, token }: QueueOwner): PollLogin | undefined {
  return sessionId === undefined ? token : { id: sessionId, endsAt: null }
}

/** Requires that a token uses its own queue: other logins' queues can receive events that the token cannot. */
export function requireOwnQueue(queue: LiveQueue, { token }: QueueOwner): void {
  if (token !== undefined && queue.loginId !== token.id) throw unknownQueueError(queue.id)
}

export class QueueLifecycle {
  readonly #registries: Registries
  readonly #delivery: Delivery
  readonly #db: Kysely<Tables>
  readonly #readQueue: QueueReader
  readonly #limits: QueueLimits
  readonly #writeQueue: ReturnType<typeof queueWriter>
  readonly #clock: QueueClock

  constructor(
    registries: Registries,
    delivery: Delivery,
    { db, reads, limits, clock }: { db: Kysely<Tables>; reads: Db; limits: QueueLimits; clock: QueueClock },
  ) {
    this.#clock = clock
    this.#registries = registries
    this.#delivery = delivery
    this.#db = db
    this.#readQueue = queueReader(reads)
    this.#limits = limits
    this.#writeQueue = queueWriter(db)
  }

  async register<Snapshot extends { readonly position: number }>(
    log: OrganizationLog,
    owner: QueueOwner,
    registration: Registration,
    lifespanSeconds: number,
    snapshot: () => Promise<Snapshot>,
  ): Promise<{ queueId: string; taken: Snapshot }> {
    const registry = this.#registries.of(log)
    // Starts counting before the snapshot, which may miss later ephemeral events.
    const receivedBefore = registry.recent.count
    const lastUsedAt = wholeSteadySeconds()
    const taken = await snapshot()
    const { userId } = owner
    const loginId = pollLoginOf(owner)?.id ?? null
    const start = taken.position
    const stored = { id: randomUUID(), userId, registration, start, lastUsedAt, lifespanSeconds, loginId }
    const mine = [...(registry.live.online.get(userId) ?? [])]
    const waitedFor = mine.filter((queue) => queue.isWaitedFor).map(({ id }) => id)
    const row = { ...stored, lastUsedAt: this.#clock.stored(lastUsedAt) }
    const ended = await this.#writeQueue(log.organization.id, row, waitedFor)
    const queue = new LiveQueue(stored, -1)
    // Usually nothing has happened since the snapshot, so the log need not be read.
    if (log.organization.position === queue.start) queue.behind = false
    this.#delivery.hold(registry, queue, registry.recent.after(receivedBefore))
    for (const known of ended.map((id) => registry.live.queues.get(id))) {
      if (known !== undefined) registry.forget(known)
    }
    return { queueId: queue.id, taken }
  }

  live(registry: Registry, userId: number, queueId: string): LiveQueue | undefined {
    const live = registry.live.queues.get(queueId)
    if (live === undefined) return undefined
    if (live.userId !== userId) throw unknownQueueError(queueId)
    if (isInUse(live, this.#limits)) return live
    // Forgets the queue, so that its row is read again: another server may have used the queue in the meantime.
    registry.forget(live)
    return undefined
  }

  async read(registry: Registry, userId: number, queueId: string, lastEventId: number | undefined): Promise<LiveQueue> {
    const { id: organizationId } = registry.log.organization
    const row = await this.#readQueue(organizationId, userId, queueId)
    if (row === undefined) throw unknownQueueError(queueId)
    // Counts idle time only from the server's start, because the queue could not be used while the server was down.
    const storedUse = this.#clock.known(row.lastUsedAt)
    const lastUsedAt = Math.min(Math.max(storedUse, this.#clock.countsFrom), wholeSteadySeconds())
    if (wholeSteadySeconds() - lastUsedAt > idleSecondsOf(row, this.#limits)) {
      await deleteIdleQueues(
        this.#db,
        [{ organizationId, id: queueId }],
        this.#clock.stored(wholeSteadySeconds()),
        this.#limits.idleSeconds,
      )
      throw unknownQueueError(queueId)
    }
    const raced = registry.live.queues.get(queueId)
    if (raced !== undefined) return raced
    const queue = new LiveQueue({ ...row, lastUsedAt }, lastEventId ?? -1)
    // A client that has received nothing gets ephemeral events since its registration, possibly at another server.
    this.#delivery.hold(registry, queue, queue.acknowledged < 0 ? registry.recent.since(storedUse) : [])
    return queue
  }

  async remove(log: OrganizationLog, owner: QueueOwner, queueId: string): Promise<void> {
    const registry = this.#registries.of(log)
    const live = this.live(registry, owner.userId, queueId)
    const queue = live ?? (await this.read(registry, owner.userId, queueId, undefined))
    requireOwnQueue(queue, owner)
    await this.end(registry, queue)
  }

  async end(registry: Registry, queue: LiveQueue): Promise<void> {
    registry.forget(queue)
    await deleteQueue(this.#db, registry.log.organization.id, queue.id)
  }
}
