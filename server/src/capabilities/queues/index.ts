import { capability, direct, open } from '../../platform/capability.ts'
import { QUEUE_LIMIT } from '../../platform/queues/store.ts'
import { deleteQueue, getEvents, registerQueue } from './actions.ts'
import * as contract from './contract.ts'
import { emptySnapshotParts } from './queries.ts'

export const queues = capability({
  name: 'queues',
  tables: [],
  limits: [QUEUE_LIMIT],
  routes: [
    open(contract.registerQueue, registerQueue),
    direct(contract.getEvents, getEvents),
    direct(contract.deleteQueue, deleteQueue),
  ],
  events: [{ event: contract.heartbeat, administration: false }],
  snapshot: emptySnapshotParts,
})
