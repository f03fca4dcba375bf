import { capability, direct, query } from '../../platform/capability.ts'
import { updatePresence } from './actions.ts'
import * as contract from './contract.ts'
import { getPresence, getUserPresence, isPresenceWanted, presenceChangedToClient } from './queries.ts'
import { presencesSnapshot } from './queries/known.ts'

/** Presence: who is there. Written about once a minute for each person, all who ask at once in one statement. */
export const presence = capability({
  name: 'presence',
  tables: ['presences', 'presence_clocks'],
  routes: [
    direct(contract.updatePresence, updatePresence),
    query(contract.getPresence, getPresence),
    query(contract.getUserPresence, getUserPresence),
  ],
  events: [{ event: contract.presenceChanged, isWanted: isPresenceWanted, toClient: presenceChangedToClient }],
  snapshot: [{ eventTypes: ['presence'], read: presencesSnapshot }],
})
