import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { signedIn } from '../sessions/contract.ts'

export const PENDING_LOGIN_SECONDS = 900

export const PENDING_LOGIN_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'sign-ins that wait for the second factor; of too many, the oldest ends',
}

export const RECOVERY_CODES = 10

const MAX_CODE = 100
const MAX_TOKEN = 100

/** Six digits from an authenticator app, or a recovery code. */
const code = text(MAX_CODE)
const token = text(MAX_TOKEN)
const recoveryCodes = z.array(string)

const secret = z.object({
  /** Base32, for manual entry. */
  secret: string,
  /** URI for a QR code. */
  uri: string,
})

export const getSecondFactor = endpoint({
  id: 'getSecondFactor',
  method: 'GET',
  path: '/second_factor',
  summary: 'See whether your account has a second factor, and whether it must have one.',
  description:
    'Owners say with `second_factor_required_of` of `PATCH /realm` whose accounts must have one: `nobody`, or those with one of the roles from ' +
    '`owners` down to `administrators`, `moderators`, `members` or `everyone`.',
  since: 420,
  input: nothing,
  output: z.object({
    /** UNIX seconds; null without a second factor. */
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
  summary: 'Begin to set up a second factor: get the secret for an application that shows codes.',
  description:
    'By time (TOTP, RFC 6238): SHA-1, six digits, 30 seconds. It asks for the password where the account has one. Nothing changes until a ' +
    'code is confirmed, and the secret is given out this once.',
  since: 420,
  input: z.object({ password: z._default(string, '') }),
  output: secret,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const confirmSecondFactor = endpoint({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/second_factor/confirm',
  summary: 'Confirm with a code that the application is set up: from then on signing in takes a code.',
  description:
    'All other browsers are signed out. The recovery codes are shown this once; each is good once in place of a code.',
  since: 420,
  input: z.object({ code }),
  output: z.object({ recovery_codes: recoveryCodes }),
  errors: ['BAD_REQUEST'],
})

export const renewRecoveryCodes = endpoint({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/second_factor/recovery_codes',
  summary: 'Get other recovery codes: those before stop working.',
  since: 420,
  input: z.object({ code }),
  output: z.object({ recovery_codes: recoveryCodes }),
  errors: ['BAD_REQUEST'],
})

export const removeSecondFactor = endpoint({
  id: 'removeSecondFactor',
  method: 'DELETE',
  path: '/second_factor',
  summary: 'Remove the second factor, which takes a code.',
  since: 420,
  input: z.object({ code }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getSecondFactorOf = endpoint({
  id: 'getSecondFactorOf',
  method: 'GET',
  path: '/users/:user_id/second_factor',
  summary: 'See whether somebody else has a second factor. Administrators only.',
  since: 420,
  input: z.object({ user_id: id }),
  /** UNIX seconds; null without a second factor. */
  output: z.object({ since: z.nullable(integer) }),
  errors: ['BAD_REQUEST'],
})

export const removeSecondFactorOf = endpoint({
  id: 'removeSecondFactorOf',
  method: 'DELETE',
  path: '/users/:user_id/second_factor',
  summary: 'Remove the second factor of somebody who has lost it. Administrators only.',
  since: 420,
  input: z.object({ user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const finishLogin = endpoint({
  id: 'finishLogin',
  method: 'POST',
  path: '/login/second_factor',
  summary: 'Sign a browser in with a code, after what was asked for before it.',
  description: 'The token is that of `second_factor` in the answer of `POST /login` and the others that sign in.',
  since: 420,
  authentication: 'none',
  input: z.object({ token, code }),
  output: signedIn,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const beginRequiredSecondFactor = endpoint({
  id: 'beginRequiredSecondFactor',
  method: 'POST',
  path: '/login/second_factor/setup',
  summary: 'Begin to set up the second factor without which one may not sign in.',
  since: 420,
  authentication: 'none',
  input: z.object({ token }),
  output: secret,
  errors: ['AUTHENTICATION_FAILED'],
})

export const confirmRequiredSecondFactor = endpoint({
  id: 'confirmRequiredSecondFactor',
  method: 'POST',
  path: '/login/second_factor/setup/confirm',
  summary: 'Confirm with a code that the second factor is set up, and sign the browser in.',
  since: 420,
  authentication: 'none',
  input: z.object({ token, code }),
  output: z.extend(signedIn, { recovery_codes: recoveryCodes }),
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})
