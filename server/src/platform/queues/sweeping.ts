import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { isInUse, seconds, type QueueClock } from './idle.ts'
import type { LiveQueue, QueueLimits } from './queue.ts'
import type { Registries, Registry } from './registry.ts'
import { deleteIdle, deleteUnused, noteUse } from './store.ts'

/** A queue that was not asked for this long keeps no events in memory. */
const KEPT_SECONDS = 60
/** A queue that was not asked for this long is not in memory at all: its row and the log bring it back. */
const HELD_SECONDS = 86_400

/** Collects idle queues and notes which are in use, every now and then. */
export class Sweeper {
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
    const now = seconds()
    for (const registry of this.#registries.all()) await this.#sweepOne(registry, now)
    const { idleSeconds } = this.#limits
    if (now - this.#clock.countsFrom > 2 * idleSeconds)
      await deleteUnused(this.#db, this.#clock.stored(now), idleSeconds)
  }

  async #sweepOne(registry: Registry, now: number): Promise<void> {
    const idle: LiveQueue[] = []
    const used: LiveQueue[] = []
    for (const queue of registry.held.queues.values()) (isInUse(queue, this.#limits) ? used : idle).push(queue)
    for (const queue of idle) registry.forget(queue)
    for (const queue of used) if (!queue.isWaitedFor && now - queue.lastUsedAt > KEPT_SECONDS) queue.letGo()
    const { id: organizationId } = registry.log.organization
    const ids = idle.map((queue) => queue.id)
    await deleteIdle(this.#db, organizationId, ids, this.#clock.stored(now), this.#limits.idleSeconds)
    const usedAt = (queue: LiveQueue): number => this.#clock.stored(queue.isWaitedFor ? now : queue.lastUsedAt)
    const uses = new Map(used.map((queue) => [queue.id, usedAt(queue)]))
    const existing = await noteUse(this.#db, organizationId, uses)
    // Deleted through another server.
    for (const queue of used) if (!existing.has(queue.id)) registry.forget(queue)
    for (const queue of used) if (!queue.isWaitedFor && now - queue.lastUsedAt > HELD_SECONDS) registry.forget(queue)
  }
}
