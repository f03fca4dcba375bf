import { capability, direct, query } from '../../platform/capability.ts'
import { updatePresence } from './actions.ts'
import * as contract from './contract.ts'
import {
  getPresence,
  getUserPresence,
  isPresenceWanted,
  presenceChangedToClient,
  presencesSnapshot,
} from './queries/index.ts'
import { exportedTables, migrations } from './tables.ts'

/** Writes presence in batches, about once a minute per user, and activity about once a day. */
export const presence = capability({
  name: 'presence',
  tables: ['presences', 'presence_clocks', 'user_activity'],
  migrations,
  exportedTables,
  routes: [
    direct(contract.updatePresence, updatePresence),
    query(contract.getPresence, getPresence),
    query(contract.getUserPresence, getUserPresence),
  ],
  events: [
    {
      event: contract.presenceChanged,
      administration: false,
      isWanted: isPresenceWanted,
      toClient: presenceChangedToClient,
    },
  ],
  snapshot: [{ eventTypes: ['presence'], read: presencesSnapshot }],
})
