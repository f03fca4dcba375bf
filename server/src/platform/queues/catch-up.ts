import type { World } from '../../kernel/fold.ts'
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
  world: World,
  reads: Db,
  encoder: Encoder,
  hydrate: Hydrate,
  isReceiver: (row: LogRow) => boolean,
): Promise<void> {
  while (queue.behind && !queue.hasEvents) {
    if (queue.considered >= world.position) {
      queue.behind = false
      return
    }
    const after = queue.considered
    const rows = await readLog(reads, world.organizationId, after, world.position)
    if (rows === 'pruned') throw unknownQueue(queue.id)
    const complete = await hydrate(world, rows, READ_BYTES)
    // Meanwhile another poll of the same queue, of a client that did not wait, moved it.
    if (queue.considered !== after) continue
    for (const row of complete) {
      // The rest is read when the client comes for it.
      if (queue.isFull) break
      if (isReceiver(row)) queue.offer(row, world, encoder)
      queue.considered = row.position
    }
  }
}
