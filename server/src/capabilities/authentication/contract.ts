import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, id, nothing, string, text } from '../../kernel/schemas.ts'

/** In code points. */
export const PASSWORD_LENGTH = { min: 8, max: 100 } as const

const MAX_PERSONAL_WORDS = 5
const MAX_PERSONAL_WORD_LENGTH = 254

const apiKey = z.object({
  api_key: string,
  /** The real email. Requests with the key can use the API email instead. */
  email: string,
  user_id: id,
})

export const fetchApiKey = endpoint({
  id: 'fetchApiKey',
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Exchange an email address and password for an API key.',
  since: 0,
  authentication: 'none',
  input: z.object({ username: string, password: string }),
  output: apiKey,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'PASSWORD_AUTH_DISABLED'],
})

export const regenerateOwnApiKey = endpoint({
  id: 'regenerateOwnApiKey',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Create a new API key. The previous key stops working.',
  description:
    'Also ends other sessions, API tokens, sign-in links, pending email changes, and push notifications of apps. A ' +
    "browser may have to confirm the user's identity first: see `POST /session/confirm`.",
  since: 0,
  input: nothing,
  output: z.object({ api_key: string }),
  errors: ['CONFIRMATION_REQUIRED'],
})

export const estimatePassword = endpoint({
  id: 'estimatePassword',
  method: 'POST',
  path: '/password_strength',
  summary: 'Rate the strength of a password.',
  description:
    'Rated as when a password is set, where `weak` or too short passwords are refused. `weakness` says why, and is ' +
    'null for other passwords. Nothing is stored or logged. Some requests are refused under load.',
  since: 420,
  authentication: 'none',
  withoutOrganization: true,
  // Clients check a password repeatedly while a person types it; these checks must not use up the sign-in limit.
  ratePerAddress: { count: 120, seconds: 60, isApart: true },
  input: z.object({
    password: text(PASSWORD_LENGTH.max),
    own_words: z._default(z.array(text(MAX_PERSONAL_WORD_LENGTH)).check(z.maxLength(MAX_PERSONAL_WORDS)), []),
  }),
  output: z.object({
    strength: z.enum(['weak', 'fair', 'good', 'strong']),
    weakness: z.nullable(z.enum(['short', 'personal', 'common', 'pattern'])),
  }),
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

const credentialValue = z.nullable(z.union([string, boolean]))

export const credentialsChanged = event({
  type: 'credentials',
  summary:
    'A second factor, passkey, API token, or password was added, changed, or removed. Used for the audit log and the ' +
    'email that informs the account owner; not sent to anyone.',
  payload: z.strictObject({
    user_id: id,
    what: z.enum(['second_factor', 'recovery_codes', 'passkey', 'api_token', 'password']),
    /** Name of a passkey or API token, or whether a second factor or password existed; otherwise null. */
    before: credentialValue,
    after: credentialValue,
  }),
  touches: [],
  apply() {},
})
