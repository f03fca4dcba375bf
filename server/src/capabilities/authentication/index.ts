import { capability, open } from '../../platform/capability.ts'
import { devFetchKey, fetchKey } from './actions.ts'
import { devFetchApiKey, fetchApiKey } from './contract.ts'
import { apiKeysFold } from './queries.ts'

/** Authentication: passwords and API keys. */
export const authentication = capability({
  name: 'authentication',
  tables: ['credentials'],
  folds: [apiKeysFold],
  routes: [open(fetchApiKey, fetchKey), open(devFetchApiKey, devFetchKey)],
})
