import { capability, command, query } from '../../platform/capability.ts'
import { createApiToken, requireTokenOwner, revokeApiToken } from './actions.ts'
import * as contract from './contract.ts'
import { apiTokensProjection, getApiTokens } from './queries.ts'
import { migrations } from './tables.ts'

export const apiTokens = capability({
  name: 'api-tokens',
  tables: ['api_tokens'],
  migrations,
  omitted: { api_tokens: 'API tokens: their owners create new ones' },
  limits: [contract.API_TOKEN_LIMIT],
  projections: [apiTokensProjection],
  routes: [
    query(contract.getApiTokens, getApiTokens),
    command(contract.createApiToken, createApiToken, { prepare: requireTokenOwner }),
    command(contract.revokeApiToken, revokeApiToken),
  ],
})
