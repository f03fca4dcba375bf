import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { isInUse, isKeptFor, seconds, type QueueClock } from './idle.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { LiveQueue, QueueLimits } from './queue.ts'
import type { Registries, Registry } from './registry.ts'
import { deleteIdle, deleteUnused, noteUse, type QueueName } from './store.ts'

/** Time after which only the row and the log keep a queue. */
const HELD_SECONDS = 86_400

interface HeldQueue extends QueueName {
  readonly registry: Registry
  readonly queue: LiveQueue
  readonly at: number
}

/** Removes idle queues and records which are in use. */
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
    await this.#sweep([...this.#registries.all()], now)
    const { idleSeconds } = this.#limits
    if (now - this.#clock.countsFrom > 2 * idleSeconds)
      await deleteUnused(this.#db, this.#clock.stored(now), idleSeconds)
  }

  async sweepOf(logs: readonly OrganizationLog[]): Promise<void> {
    await this.#sweep(
      logs.flatMap((log) => this.#registries.known(log) ?? []),
      seconds(),
    )
  }

  async #sweep(registries: readonly Registry[], now: number): Promise<void> {
    const idle: HeldQueue[] = []
    const used: HeldQueue[] = []
    for (const registry of registries) {
      const organizationId = registry.log.organization.id
      for (const queue of registry.held.queues.values()) {
        const at = this.#clock.stored(queue.isWaitedFor ? now : queue.lastUsedAt)
        const group = isInUse(queue, this.#limits) ? used : idle
        group.push({ registry, queue, organizationId, id: queue.id, at })
      }
    }
    for (const { registry, queue } of idle) registry.forget(queue)
    for (const { queue } of used) if (!isKeptFor(queue)) queue.letGo()
    await deleteIdle(this.#db, idle, this.#clock.stored(now), this.#limits.idleSeconds)
    const existing = await noteUse(this.#db, used)
    for (const held of used) {
      const { registry, queue } = held
      const isLeft = !queue.isWaitedFor && now - queue.lastUsedAt > HELD_SECONDS
      // Deleted by another server, or idle for too long.
      if (!existing.has(held) || isLeft) registry.forget(queue)
    }
  }
}
