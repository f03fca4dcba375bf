import { capability, command, query } from '../../platform/capability.ts'
import { removeStorage, updateStorage } from './actions.ts'
import * as contract from './contract.ts'
import { getStorage } from './queries.ts'

/** What the programs of bots remember between their runs: values by key, each account its own. */
export const botStorage = capability({
  name: 'bot-storage',
  tables: ['bot_storage'],
  routes: [
    query(contract.getStorage, getStorage),
    command(contract.updateStorage, updateStorage),
    command(contract.removeStorage, removeStorage),
  ],
})
