import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import { isNowhere, type LogRow } from '../log/row.ts'
import type { Hydrate } from './attach.ts'
import type { Encoder } from './encoding.ts'
import { unknownQueue, type LiveQueue } from './queue.ts'
import { readLog, READ_BYTES } from './store.ts'

/** The events after one position, as `readLog` finds them, with what they refer to. */
type Read = Promise<readonly LogRow[] | 'pruned'>

/**
 * Reads the log for queues that are behind. Those that ask for the same part while it is being read get the same rows: when a server
 * starts, the queues of all clients are as far behind as each other.
 */
export class LogReader {
  readonly #reads: Db
  readonly #hydrate: Hydrate
  /** What is being read of each organization, by the position that it comes after. */
  readonly #underWay = new WeakMap<OrganizationState, Map<number, Read>>()

  constructor(reads: Db, hydrate: Hydrate) {
    this.#reads = reads
    this.#hydrate = hydrate
  }

  after(position: number, organization: OrganizationState): Read {
    const underWay = this.#underWay.get(organization) ?? new Map<number, Read>()
    this.#underWay.set(organization, underWay)
    const shared = underWay.get(position)
    if (shared !== undefined) return shared
    const reading = this.#read(position, organization).finally(() => underWay.delete(position))
    underWay.set(position, reading)
    return reading
  }

  async #read(position: number, organization: OrganizationState): Read {
    const rows = await readLog(this.#reads, organization.id, position, organization.position)
    return rows === 'pruned' ? rows : this.#hydrate(organization, rows, READ_BYTES)
  }
}

/**
 * Reads the log for a queue until its buffer has events or nothing is left. What does not fit into the buffer is read
 * again, when the client has what is there.
 * @param isReceiver whether the queue's user is in the audience of an event
 * @throws Refusal BAD_EVENT_QUEUE_ID when the log no longer goes back to where the queue is, or was never there
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
    // Another poll of the same queue moved it meanwhile, since the client did not wait.
    if (queue.considered !== after) continue
    const [first] = rows
    // The client has what this log does not: the server that took over the database had not got it.
    if (first !== undefined && isNowhere(after, first)) throw unknownQueue(queue.id)
    for (const row of rows) {
      // The rest is read when the client comes for it.
      if (queue.isFull) break
      if (isReceiver(row)) queue.offer(row, organization, encoder)
      queue.considered = row.position
    }
  }
}
