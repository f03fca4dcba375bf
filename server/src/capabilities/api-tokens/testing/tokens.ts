import {
  askedRegistration,
  callApi,
  type Answer,
  type Body,
  type Parameters,
  type TestUser,
} from '../../../testing/user.ts'

export const INVALID_KEY = { code: 'INVALID_API_KEY', msg: 'Invalid API key' }
export const OUT_OF_SCOPE = { code: 'INSUFFICIENT_SCOPE', msg: 'This API token does not allow this request.' }

export async function makeToken(user: TestUser, more: Body = {}): Promise<{ id: number; token: string }> {
  const { api_token_id: id, api_token: token } = await user.call('POST', '/api_tokens', { name: 'Program', ...more })
  return { id, token }
}

export async function callWithToken(
  { url, host }: Pick<TestUser, 'url' | 'host'>,
  token: string,
  method: string,
  path: string,
  parameters: Parameters = {},
): Promise<Answer> {
  return callApi(url, host, method, path, parameters, {
    headers: { authorization: `Bearer ${token}` },
    asked: askedRegistration(parameters),
  })
}
