import { capability, command, open } from '../../platform/capability.ts'
import { devFetchApiKey, estimatePassword, fetchApiKey, regenerateOwnApiKey } from './actions/index.ts'
import * as contract from './contract.ts'
import { apiKeysProjection } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const authentication = capability({
  name: 'authentication',
  tables: ['credentials'],
  migrations,
  exportedTables,
  projections: [apiKeysProjection],
  events: [{ event: contract.credentialsChanged }],
  routes: [
    open(contract.fetchApiKey, fetchApiKey),
    open(contract.estimatePassword, estimatePassword),
    open(contract.devFetchApiKey, devFetchApiKey),
    command(contract.regenerateOwnApiKey, regenerateOwnApiKey),
  ],
})
