import type { LiveQueue } from './queue.ts'

export class Holdings {
  readonly #queues = new Map<string, LiveQueue>()
  readonly #online = new Map<number, Set<LiveQueue>>()
  readonly #public = new Set<LiveQueue>()

  get queues(): ReadonlyMap<string, LiveQueue> {
    return this.#queues
  }

  get online(): ReadonlyMap<number, ReadonlySet<LiveQueue>> {
    return this.#online
  }

  get public(): ReadonlySet<LiveQueue> {
    return this.#public
  }

  add(queue: LiveQueue): void {
    this.#queues.set(queue.id, queue)
    const mine = this.#online.get(queue.userId)
    if (mine === undefined) this.#online.set(queue.userId, new Set([queue]))
    else mine.add(queue)
    if (queue.registration.allPublicStreams) this.#public.add(queue)
  }

  remove(queue: LiveQueue): void {
    this.#queues.delete(queue.id)
    this.#public.delete(queue)
    const mine = this.#online.get(queue.userId)
    mine?.delete(queue)
    if (mine?.size === 0) this.#online.delete(queue.userId)
  }
}
