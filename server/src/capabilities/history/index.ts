import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getMessage, getMessages, matchesNarrow } from './queries/reading.ts'

/** History: reading messages, with everything that belongs to them. */
export const history = capability({
  name: 'history',
  tables: [],
  reads: [
    'message_edits',
    'message_flags',
    'messages',
    'organizations',
    'reactions',
    'submessages',
    'topic_reads',
    'user_reads',
  ],
  routes: [
    query(contract.getMessages, getMessages),
    query(contract.matchesNarrow, matchesNarrow),
    query(contract.getMessage, getMessage),
  ],
})
