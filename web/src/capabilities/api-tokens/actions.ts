import { call, type Answer } from '@parley/client'
import { apiTokens } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'

export type ApiToken = Answer<typeof apiTokens.getApiTokens>['api_tokens'][number]
export type NewToken = Input<typeof apiTokens.createApiToken>

export async function fetchTokens(): Promise<readonly ApiToken[]> {
  return (await call(SESSION, apiTokens.getApiTokens, {})).api_tokens
}

/** @returns the token, which the server reveals only once */
export async function createToken(asked: NewToken): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, apiTokens.createApiToken, asked))).api_token
}

export async function revokeToken(id: number): Promise<void> {
  await call(SESSION, apiTokens.revokeApiToken, { api_token_id: id })
}
