import { capability, command, direct, query } from '../../platform/capability.ts'
import { banUser, deleteMessagesOfBanned, liftBan } from './actions/index.ts'
import * as contract from './contract.ts'
import { endExpiredBans } from './jobs.ts'
import { getBans } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const bans = capability({
  name: 'bans',
  tables: ['bans'],
  reads: ['messages', 'organization_settings'],
  migrations,
  exportedTables,
  routes: [
    query(contract.getBans, getBans),
    command(contract.banUser, banUser),
    command(contract.liftBan, liftBan),
    direct(contract.deleteMessagesOfBanned, deleteMessagesOfBanned),
  ],
  // The actions write the audit log, because these events carry no reason.
  events: [
    { event: contract.banAdded, administration: false },
    { event: contract.banRemoved, administration: false },
  ],
  jobs: [endExpiredBans],
})
