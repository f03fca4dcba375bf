import { capability, command, direct, query } from '../../platform/capability.ts'
import { createBot, deactivateBot, regenerateBotApiKey, updateBot } from './actions.ts'
import * as contract from './contract.ts'
import { embeddedBotsSnapshot, getBotApiKey, getBots, incomingWebhookBotsSnapshot } from './queries.ts'

/** Bots: making, changing and ending them, and their keys. */
export const bots = capability({
  name: 'bots',
  tables: [],
  routes: [
    query(contract.getBots, getBots),
    direct(contract.createBot, createBot),
    direct(contract.updateBot, updateBot),
    command(contract.deactivateBot, deactivateBot),
    query(contract.getBotApiKey, getBotApiKey),
    command(contract.regenerateBotApiKey, regenerateBotApiKey),
  ],
  snapshot: [
    { eventTypes: ['realm_embedded_bots'], observe: embeddedBotsSnapshot },
    { eventTypes: ['realm_incoming_webhook_bots'], observe: incomingWebhookBotsSnapshot },
  ],
})
