import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { signInResponse } from '../sessions/contract.ts'

export const PENDING_LOGIN_SECONDS = 900

export const PENDING_LOGIN_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'sign-ins waiting for a two-factor code; the oldest expires',
}

export const RECOVERY_CODE_COUNT = 10

const MAX_CODE_CHARACTERS = 100
const MAX_TOKEN_CHARACTERS = 100

const codeText = text(MAX_CODE_CHARACTERS)
const pendingLoginToken = text(MAX_TOKEN_CHARACTERS)
const recoveryCodes = z.array(string)

const authenticatorSecretResponse = z.object({
  /** Base32, for manual entry. */
  secret: string,
  uri: string,
})

export const getSecondFactor = endpoint({
  id: 'getSecondFactor',
  method: 'GET',
  path: '/second_factor',
  summary: 'Get whether your account has or requires two-factor authentication.',
  description:
    'Owners require it with `second_factor_required_of` of `PATCH /realm`: `nobody`, or users with at least the ' +
    'role `owners`, `administrators`, `moderators`, `members`, or `everyone`.',
  since: 420,
  input: nothing,
  output: z.object({
    /** UNIX seconds when the second factor was turned on; null if it is off. */
    since: z.nullable(integer),
    recovery_codes_left: integer,
    required_of: string,
    is_required: boolean,
  }),
  errors: [],
})

export const beginSecondFactor = endpoint({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/second_factor',
  summary: 'Start setting up two-factor authentication. Returns the secret for the authenticator app.',
  description:
    "Time-based codes (TOTP, RFC 6238): SHA-1, six digits, 30 seconds. Requires the account's password, if it has " +
    'one. Nothing changes until a code is confirmed. The secret is returned only once.',
  since: 420,
  input: z.object({ password: z._default(string, '') }),
  output: authenticatorSecretResponse,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const confirmSecondFactor = endpoint({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/second_factor/confirm',
  summary: 'Turn on two-factor authentication with a code from the app.',
  description: 'Signs out all other browsers. The recovery codes are returned only once; each replaces a code once.',
  since: 420,
  input: z.object({ code: codeText }),
  output: z.object({ recovery_codes: recoveryCodes }),
  errors: ['BAD_REQUEST'],
})

export const renewRecoveryCodes = endpoint({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/second_factor/recovery_codes',
  summary: 'Create new recovery codes. The previous ones stop working.',
  since: 420,
  input: z.object({ code: codeText }),
  output: z.object({ recovery_codes: recoveryCodes }),
  errors: ['BAD_REQUEST'],
})

export const removeSecondFactor = endpoint({
  id: 'removeSecondFactor',
  method: 'DELETE',
  path: '/second_factor',
  summary: 'Turn off two-factor authentication with a code.',
  since: 420,
  input: z.object({ code: codeText }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getSecondFactorOf = endpoint({
  id: 'getSecondFactorOf',
  method: 'GET',
  path: '/users/:user_id/second_factor',
  summary: 'Get whether a user has two-factor authentication. Administrators only.',
  since: 420,
  input: z.object({ user_id: id }),
  output: z.object({ since: z.nullable(integer) }),
  errors: ['BAD_REQUEST'],
})

export const removeSecondFactorOf = endpoint({
  id: 'removeSecondFactorOf',
  method: 'DELETE',
  path: '/users/:user_id/second_factor',
  summary: 'Turn off two-factor authentication for a user. Administrators only.',
  since: 420,
  input: z.object({ user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const finishLogin = endpoint({
  id: 'finishLogin',
  method: 'POST',
  path: '/login/second_factor',
  summary: 'Sign in with a code, after the first step.',
  description: 'Use the token in `second_factor` of the response of `POST /login` or another sign-in.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: pendingLoginToken, code: codeText }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const beginRequiredSecondFactor = endpoint({
  id: 'beginRequiredSecondFactor',
  method: 'POST',
  path: '/login/second_factor/setup',
  summary: 'Start setting up required two-factor authentication during sign-in.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: pendingLoginToken }),
  output: authenticatorSecretResponse,
  errors: ['AUTHENTICATION_FAILED'],
})

export const confirmRequiredSecondFactor = endpoint({
  id: 'confirmRequiredSecondFactor',
  method: 'POST',
  path: '/login/second_factor/setup/confirm',
  summary: 'Turn on required two-factor authentication with a code, and sign in the browser.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: pendingLoginToken, code: codeText }),
  output: z.extend(signInResponse, { recovery_codes: recoveryCodes }),
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})
