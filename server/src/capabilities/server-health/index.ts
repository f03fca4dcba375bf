import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getServerHealth } from './queries/index.ts'

export const serverHealth = capability({
  name: 'server-health',
  tables: [],
  reads: [
    'organizations',
    'organization_settings',
    'users',
    'channels',
    'messages',
    'attachments',
    'events',
    'queues',
    'realm_emoji',
    'link_previews',
    'outgoing_mails',
    'data_exports',
    'reminders',
    'scheduled_messages',
    'outgoing_webhook_deliveries',
  ],
  routes: [query(contract.getServerHealth, getServerHealth)],
})
