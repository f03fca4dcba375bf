import { capability, command, open } from '../../platform/capability.ts'
import { knownUser } from '../users/rules.ts'
import { devFetchKey, fetchKey, renewApiKey } from './actions.ts'
import { devFetchApiKey, fetchApiKey, regenerateOwnApiKey } from './contract.ts'
import { apiKeysFold } from './queries.ts'

/** Authentication: passwords and API keys. */
export const authentication = capability({
  name: 'authentication',
  tables: ['credentials'],
  folds: [apiKeysFold],
  routes: [
    open(fetchApiKey, fetchKey),
    open(devFetchApiKey, devFetchKey),
    command(regenerateOwnApiKey, (tx) => renewApiKey(tx, knownUser(tx.world, tx.actor.userId))),
  ],
})
