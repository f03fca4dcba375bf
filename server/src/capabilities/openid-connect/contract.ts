import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { linkToken, string, text } from '../../kernel/schemas.ts'
import { languageCode } from '../organizations/contract/languages.ts'
import { signedIn } from '../sessions/contract.ts'

export const OPENID_ATTEMPT_SECONDS = 900

export const OPENID_ATTEMPT_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'people who are signing in at the identity provider; of too many, the one who began first begins again',
}

/** Maximum length of what the provider puts into the URL, in characters; real values are far shorter. */
const MAX_ANSWER = 4_096

export const beginOpenidLogin = endpoint({
  id: 'beginOpenidLogin',
  method: 'POST',
  path: '/login/openid/begin',
  summary: 'Begin to sign a browser in by the identity provider of the server: get the address at which one does so.',
  description:
    'By OpenID Connect, if the server has a provider: see `external_authentication_methods` of `GET /server_settings`. The answer sets a ' +
    'cookie, without which `POST /login/openid` takes nothing that the provider says.',
  since: 420,
  authentication: 'none',
  // Each attempt can displace the oldest waiting one, possibly another person's.
  ratePerAddress: { count: 60, seconds: 60 },
  input: z.object({ token: z.optional(linkToken) }),
  output: z.object({ authorization_url: string }),
  errors: ['AUTHENTICATION_FAILED'],
})

export const finishOpenidLogin = endpoint({
  id: 'finishOpenidLogin',
  method: 'POST',
  path: '/login/openid',
  summary: 'Sign a browser in with what the identity provider put into the address `/openid`.',
  description:
    'An account is found by what the provider calls the person, and the first time by the address, if the provider says that it is the ' +
    "person's. Where there is none, one is made if the organization lets everybody join, or if the person is invited: by the " +
    'address, or by the `token` with which it was begun. The answer sets the cookie of a session, as that of `POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({
    state: text(MAX_ANSWER),
    code: z.optional(text(MAX_ANSWER)),
    iss: z.optional(text(MAX_ANSWER)),
    error: z.optional(text(MAX_ANSWER)),
    /** Language of a new account, from the page; by default the organization's. */
    default_language: z.optional(languageCode),
  }),
  output: signedIn,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'BAD_REQUEST'],
})
