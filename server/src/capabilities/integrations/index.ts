import { capability, direct, query } from '../../platform/capability.ts'
import { receiveWebhook } from './actions.ts'
import * as contract from './contract/index.ts'
import { getIntegrations, getSampleRequest, incomingWebhookBotsSnapshot } from './queries.ts'

export const integrations = capability({
  name: 'integrations',
  tables: [],
  routes: [
    direct(contract.receiveWebhook, receiveWebhook),
    query(contract.getIntegrations, getIntegrations),
    query(contract.getSampleRequest, getSampleRequest),
  ],
  snapshot: [{ eventTypes: ['realm_incoming_webhook_bots'], observe: incomingWebhookBotsSnapshot }],
})
