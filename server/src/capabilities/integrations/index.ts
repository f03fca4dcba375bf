import { capability, direct } from '../../platform/capability.ts'
import { receiveWebhook } from './actions.ts'
import * as contract from './contract.ts'
import { incomingWebhookBotsSnapshot } from './queries.ts'

/** What services outside tell in their own form, as messages of bots. */
export const integrations = capability({
  name: 'integrations',
  tables: [],
  routes: [direct(contract.receiveWebhook, receiveWebhook)],
  snapshot: [{ eventTypes: ['realm_incoming_webhook_bots'], observe: incomingWebhookBotsSnapshot }],
})
