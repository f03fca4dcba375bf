import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'
import type { Hydrate } from './attach.ts'
import type { Encoder } from './encoding.ts'
import { unknownQueue, type LiveQueue } from './queue.ts'
import { readLog, READ_BYTES } from './store.ts'

/**
 * Reads the log for a queue until its buffer has events or nothing is left. What does not fit into the buffer is read
 * again, when the client has what is there.
 * @param isReceiver whether the queue's user is in the audience of an event
 * @throws Refusal BAD_EVENT_QUEUE_ID when the log no longer goes back to where the queue is
 */
export async function catchUp(
  queue: LiveQueue,
  organization: OrganizationState,
  reads: Db,
  encoder: Encoder,
  hydrate: Hydrate,
  isReceiver: (row: LogRow) => boolean,
): Promise<void> {
  while (queue.behind && !queue.hasEvents) {
    if (queue.considered >= organization.position) {
      queue.behind = false
      return
    }
    const after = queue.considered
    const rows = await readLog(reads, organization.id, after, organization.position)
    if (rows === 'pruned') throw unknownQueue(queue.id)
    const complete = await hydrate(organization, rows, READ_BYTES)
    // Another poll of the same queue moved it meanwhile, since the client did not wait.
    if (queue.considered !== after) continue
    for (const row of complete) {
      // The rest is read when the client comes for it.
      if (queue.isFull) break
      if (isReceiver(row)) queue.offer(row, organization, encoder)
      queue.considered = row.position
    }
  }
}
