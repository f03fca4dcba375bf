import { capability, command, query } from '../../platform/capability.ts'
import { approveHeldMessage, prepareApproval, rejectHeldMessage, withdrawHeldMessage } from './actions/review.ts'
import * as contract from './contract.ts'
import { getHeldMessageQueue, getHeldMessages, heldMessagesSnapshot } from './queries.ts'
import { isQueueEventWanted } from './rules.ts'
import { exportedTables, migrations } from './tables.ts'

export const heldMessages = capability({
  name: 'held-messages',
  tables: ['held_messages'],
  migrations,
  exportedTables,
  limits: [contract.HELD_MESSAGE_LIMIT],
  routes: [
    query(contract.getHeldMessages, getHeldMessages),
    query(contract.getHeldMessageQueue, getHeldMessageQueue),
    command(contract.withdrawHeldMessage, withdrawHeldMessage),
    command(contract.approveHeldMessage, approveHeldMessage, { prepare: prepareApproval }),
    command(contract.rejectHeldMessage, rejectHeldMessage),
  ],
  events: [
    { event: contract.heldMessageAdded, administration: false },
    { event: contract.heldMessageRemoved, administration: false },
    { event: contract.heldMessageQueued, administration: false, isWanted: isQueueEventWanted },
    { event: contract.heldMessageUnqueued, administration: false, isWanted: isQueueEventWanted },
  ],
  snapshot: [{ eventTypes: ['held_messages'], read: heldMessagesSnapshot }],
})
