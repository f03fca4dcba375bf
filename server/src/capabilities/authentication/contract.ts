import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, id, nothing, string, text } from '../../kernel/schemas.ts'

/** In code points. */
export const PASSWORD_LENGTH = { min: 8, max: 100 } as const

/** How many of the own words one request may name, and how long each may be. */
const MAX_OWN_WORDS = 5
const MAX_OWN_WORD = 254

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
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'PASSWORD_AUTH_DISABLED'],
})

export const regenerateOwnApiKey = endpoint({
  id: 'regenerateOwnApiKey',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Get another API key: the one before stops working.',
  description: 'A browser may have to confirm who uses it first: see `POST /session/confirm`.',
  since: 0,
  input: nothing,
  output: z.object({ api_key: string }),
  errors: ['CONFIRMATION_REQUIRED'],
})

export const estimatePassword = endpoint({
  id: 'estimatePassword',
  method: 'POST',
  path: '/password_strength',
  summary: 'See how hard a password is to guess that somebody is about to choose.',
  description:
    'It is judged as it is where people choose it: one that is `weak`, or too short, is refused there. Nothing of what is sent is stored or ' +
    'logged. Where too many ask at a time, some are refused.',
  since: 420,
  authentication: 'none',
  withoutOrganization: true,
  // To judge a password takes milliseconds; who types one asks a few times, and should be let in afterwards.
  ratePerAddress: { count: 120, seconds: 60, isApart: true },
  input: z.object({
    password: text(PASSWORD_LENGTH.max),
    /** What others know of the person, such as the name and the address, of which a password must not be made. */
    own_words: z._default(z.array(text(MAX_OWN_WORD)).check(z.maxLength(MAX_OWN_WORDS)), []),
  }),
  output: z.object({ strength: z.enum(['weak', 'fair', 'good', 'strong']) }),
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

/** What one signs in with, or programs log in with; secrets themselves are in no event. */
const proof = z.nullable(z.union([string, boolean]))

export const credentialsChanged = event({
  type: 'credentials',
  summary:
    'A second factor, a passkey, an API token or a password was set, changed or removed. It is for the audit log and for the e-mail that ' +
    'tells the owner of the account, and is sent to nobody.',
  payload: z.strictObject({
    user_id: id,
    what: z.enum(['second_factor', 'recovery_codes', 'passkey', 'api_token', 'password']),
    /** Its name, where it has one, or whether there is one; null for none, and where there are others. */
    before: proof,
    after: proof,
  }),
  touches: [],
  apply() {},
})
