import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { linkToken, string, text } from '../../kernel/schemas.ts'
import { signInResponse } from '../sessions/contract.ts'
import { newAccountSettings } from '../users/contract/own-settings.ts'

export const OPENID_ATTEMPT_SECONDS = 900

export const OPENID_ATTEMPT_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'sign-ins in progress at the identity provider; the oldest has to start again',
}

/** Maximum length of the provider's URL parameters, in characters; real values are far shorter. */
const MAX_PARAMETER_CHARACTERS = 4_096

export const beginOpenidLogin = endpoint({
  id: 'beginOpenidLogin',
  method: 'POST',
  path: '/login/openid/begin',
  summary: 'Start signing in with the identity provider. Returns the URL to open.',
  description:
    'Uses OpenID Connect, if the server has a provider: see `external_authentication_methods` of `GET ' +
    '/server_settings`. The response sets a cookie that `POST /login/openid` requires.',
  since: 420,
  authentication: 'none',
  // A new attempt can displace the oldest pending attempt, possibly another person's.
  ratePerAddress: { count: 60, seconds: 60 },
  input: z.object({ token: z.optional(linkToken) }),
  output: z.object({ authorization_url: string }),
  errors: ['AUTHENTICATION_FAILED'],
})

export const finishOpenidLogin = endpoint({
  id: 'finishOpenidLogin',
  method: 'POST',
  path: '/login/openid',
  summary: 'Finish signing in with the parameters that the identity provider passed to `/openid`.',
  description:
    "Finds the account by the provider's subject or, the first time, by an email address that the provider " +
    'confirms. Otherwise creates an account if anyone can join, or if the person is invited by the address or by ' +
    'the `token` from the start. The response sets the session cookie, as `POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({
    state: text(MAX_PARAMETER_CHARACTERS),
    code: z.optional(text(MAX_PARAMETER_CHARACTERS)),
    iss: z.optional(text(MAX_PARAMETER_CHARACTERS)),
    error: z.optional(text(MAX_PARAMETER_CHARACTERS)),
    ...newAccountSettings,
  }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'BAD_REQUEST'],
})
