import { capability, command, open } from '../../platform/capability.ts'
import { knownUser } from '../users/rules.ts'
import { devFetchKey, fetchKey, renewApiKey } from './actions.ts'
import { devFetchApiKey, fetchApiKey, regenerateOwnApiKey } from './contract.ts'
import { apiKeysProjection } from './queries.ts'

/** Authentication: passwords and API keys. */
export const authentication = capability({
  name: 'authentication',
  tables: ['credentials'],
  projections: [apiKeysProjection],
  routes: [
    open(fetchApiKey, fetchKey),
    open(devFetchApiKey, devFetchKey),
    command(regenerateOwnApiKey, (tx) => renewApiKey(tx, knownUser(tx.organization, tx.actor.userId))),
  ],
})
