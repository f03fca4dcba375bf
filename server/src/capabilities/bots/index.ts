import { capability, command, query } from '../../platform/capability.ts'
import { removeStoredFiles, removeUnusedFiles } from '../../platform/files/pending.ts'
import {
  createBot,
  deactivateBot,
  prepareBot,
  regenerateBotApiKey,
  regenerateBotToken,
  storeBotAvatar,
  updateBot,
  getBotApiKey,
  getBotService,
  getBots,
} from './actions/index.ts'
import { removeStorage, updateStorage } from './actions/storage.ts'
import { getStorage, botAddedBinding, botUpdatedBinding, managedBotsPart, embeddedBotsSnapshot } from './queries.ts'
import * as contract from './contract.ts'
import { exportedTables, migrations } from './tables.ts'

export const bots = capability({
  name: 'bots',
  tables: ['bot_services', 'bot_storage'],
  reads: ['credentials'],
  migrations,
  exportedTables,
  limits: [contract.BOT_LIMIT, contract.STORED_KEY_LIMIT, contract.STORED_CHARACTER_LIMIT],
  routes: [
    query(contract.getBots, getBots),
    command(contract.createBot, createBot, { prepare: prepareBot, undo: removeStoredFiles }),
    command(contract.updateBot, updateBot, {
      prepare: storeBotAvatar,
      undo: removeStoredFiles,
      finish: removeUnusedFiles,
    }),
    command(contract.deactivateBot, deactivateBot),
    query(contract.getBotApiKey, getBotApiKey),
    command(contract.regenerateBotApiKey, regenerateBotApiKey),
    query(contract.getBotService, getBotService),
    command(contract.regenerateBotToken, regenerateBotToken),
    query(contract.getStorage, getStorage),
    command(contract.updateStorage, updateStorage),
    command(contract.removeStorage, removeStorage),
  ],
  events: [botAddedBinding, botUpdatedBinding, { event: contract.botDeleted, administration: false }],
  snapshot: [managedBotsPart, { eventTypes: ['realm_embedded_bots'], observe: embeddedBotsSnapshot }],
})
