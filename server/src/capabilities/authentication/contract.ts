import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { id, nothing, string } from '../../kernel/schemas.ts'

/** In code points. */
export const PASSWORD_LENGTH = { min: 8, max: 100 } as const

const apiKey = z.object({
  api_key: string,
  /** The real address, which logs in with the key; so does the API email, whatever is hidden from others. */
  email: string,
  user_id: id,
})

export const fetchApiKey = endpoint({
  id: 'fetchApiKey',
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Exchange an e-mail address and a password for an API key.',
  since: 0,
  authentication: 'none',
  input: z.object({ username: string, password: string }),
  output: apiKey,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const regenerateOwnApiKey = endpoint({
  id: 'regenerateOwnApiKey',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Get another API key: the one before stops working.',
  since: 0,
  input: nothing,
  output: z.object({ api_key: string }),
  errors: [],
})

export const devFetchApiKey = endpoint({
  id: 'devFetchApiKey',
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Get an API key without a password, on a development server.',
  since: 0,
  authentication: 'none',
  input: z.object({ username: string }),
  output: apiKey,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'NOT_FOUND'],
})
