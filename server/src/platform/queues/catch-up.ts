import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import { isNowhere, type LogRow } from '../log/row.ts'
import type { Hydrate } from './attach.ts'
import type { Encoder } from './encoding.ts'
import { unknownQueue, type LiveQueue } from './queue.ts'
import { readLog, READ_BYTES } from './store.ts'

type CatchUpRows = Promise<readonly LogRow[] | 'pruned'>

/** Shares concurrent reads of the same part: after a restart, all queues lag equally. */
export class LogReader {
  readonly #reads: Db
  readonly #hydrate: Hydrate
  /** Reads by start position. */
  readonly #underWay = new WeakMap<OrganizationState, Map<number, CatchUpRows>>()

  constructor(reads: Db, hydrate: Hydrate) {
    this.#reads = reads
    this.#hydrate = hydrate
  }

  after(position: number, organization: OrganizationState): CatchUpRows {
    const underWay = this.#underWay.get(organization) ?? new Map<number, CatchUpRows>()
    this.#underWay.set(organization, underWay)
    const shared = underWay.get(position)
    if (shared !== undefined) return shared
    const reading = this.#read(position, organization).finally(() => underWay.delete(position))
    underWay.set(position, reading)
    return reading
  }

  async #read(position: number, organization: OrganizationState): CatchUpRows {
    const rows = await readLog(this.#reads, organization.id, position, organization.position)
    return rows === 'pruned' ? rows : this.#hydrate(organization, rows, READ_BYTES)
  }
}

/**
 * Reads the log until the queue's buffer has events or the log ends.
 * @param isReceiver whether the queue's user is in an event's audience
 * @throws Refusal BAD_EVENT_QUEUE_ID if the log was pruned past the position or never had it
 */
export async function catchUp(
  queue: LiveQueue,
  organization: OrganizationState,
  reader: LogReader,
  encoder: Encoder,
  isReceiver: (row: LogRow) => boolean,
): Promise<void> {
  while (queue.behind && !queue.hasEvents) {
    if (queue.considered >= organization.position) {
      queue.behind = false
      return
    }
    const after = queue.considered
    const rows = await reader.after(after, organization)
    if (rows === 'pruned') throw unknownQueue(queue.id)
    // The client started another poll, which moved the queue.
    if (queue.considered !== after) continue
    const [first] = rows
    // The client has seen events that the new primary lacks.
    if (first !== undefined && isNowhere(after, first)) throw unknownQueue(queue.id)
    for (const row of rows) {
      if (queue.isFull) break
      if (isReceiver(row)) queue.offer(row, organization, encoder)
      queue.considered = row.position
    }
  }
}
