import { capability } from '../../platform/capability.ts'
import { queueWebhookDeliveries } from './consumers.ts'
import * as contract from './contract.ts'
import { sendToWebhooks, notifyOwnersOfFailures } from './jobs.ts'
import { migrations } from './tables.ts'

export const outgoingWebhooks = capability({
  name: 'outgoing-webhooks',
  tables: ['outgoing_webhook_deliveries', 'outgoing_webhook_failures'],
  reads: ['bot_services', 'organization_settings', 'users'],
  migrations,
  omitted: { outgoing_webhook_deliveries: null, outgoing_webhook_failures: null },
  limits: [contract.DELIVERY_LIMIT],
  jobs: [sendToWebhooks, notifyOwnersOfFailures],
  consumers: [queueWebhookDeliveries],
})
