import { capability, direct } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getServerHealth } from './queries.ts'

/** How the server is, for administrators. */
export const serverHealth = capability({
  name: 'server-health',
  tables: [],
  reads: ['outgoing_mails', 'data_exports', 'reminders', 'scheduled_messages', 'outgoing_webhook_deliveries'],
  routes: [direct(contract.getServerHealth, getServerHealth)],
})
