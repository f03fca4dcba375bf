import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string } from '../../kernel/schemas.ts'

export const SESSION_SECONDS = 30 * 86_400

/** Seconds after a sign-in or confirmation during which a person can change credentials. */
export const CONFIRMATION_VALIDITY_SECONDS = 600

export const SESSION_LIMIT: Limit = {
  most: 100,
  per: 'user',
  what: 'browser sessions; the least recently used ends',
}

export const LOGIN_LINK_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'active sign-in links; the one that expires first is removed',
}

export const KNOWN_DEVICE_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'known devices, whose sign-ins send no email; the least recently used is removed',
}

export const signInResponse = z.object({
  user_id: id,
  /** The real email address, as in `fetch_api_key`. */
  email: string,
  /** If present, continue at `POST /login/second_factor` or `POST /login/second_factor/setup`, or with a `passkey`. */
  second_factor: z.optional(z.object({ kind: z.enum(['code', 'setup', 'passkey']), token: string })),
})

export const login = endpoint({
  id: 'login',
  method: 'POST',
  path: '/login',
  summary: 'Sign in with an email address and password.',
  description:
    "The response sets the cookie of a new session, which scripts cannot read; the browser's previous session " +
    'ends. Same parameters, refusals, and failed sign-in limit as `fetch_api_key`. Accounts with two-factor ' +
    'authentication need another step: see `second_factor` in the response.',
  since: 420,
  authentication: 'none',
  input: z.object({ username: string, password: string }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const loginByLink = endpoint({
  id: 'loginByLink',
  method: 'POST',
  path: '/login_link',
  summary: 'Sign in with the token of a link from the server.',
  description:
    'The token follows `#link=` in the link. Most links work once. An unknown, used, or expired token, or one of ' +
    'another organization, gets the same refusal.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: string }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const logout = endpoint({
  id: 'logout',
  method: 'POST',
  path: '/logout',
  summary: 'Sign out of this browser and end its event queues.',
  since: 420,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const confirmSession = endpoint({
  id: 'confirmSession',
  method: 'POST',
  path: '/session/confirm',
  summary: "Confirm the signed-in user's identity with the password.",
  description:
    'Requests that could give lasting access, such as a new email address or the API key of a bot, return ' +
    '`CONFIRMATION_REQUIRED` in a browser without a sign-in or confirmation in the last ten minutes. `methods` of that ' +
    'response lists how to confirm: `password` here, `passkey` at `POST /session/confirm/passkey`. If it is empty, the ' +
    'user has to sign in again. A new password in `PATCH /settings` counts as a confirmation. Requests with an API key ' +
    'need no confirmation.',
  since: 420,
  input: z.object({ password: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const session = z.object({
  id,
  /** Browser and system, such as `Firefox on Linux`. */
  device: string,
  /** UNIX seconds, like `last_used_at`, which is accurate to a day. */
  created_at: integer,
  last_used_at: integer,
  is_current: boolean,
})

export const getSessions = endpoint({
  id: 'getSessions',
  method: 'GET',
  path: '/sessions',
  summary: 'List your signed-in browsers, most recently used first.',
  since: 420,
  input: nothing,
  output: z.object({ sessions: z.array(session) }),
  errors: [],
})

export const endSession = endpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/sessions/:session_id',
  summary: 'Sign out of another browser and end its event queues.',
  since: 420,
  input: z.object({ session_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
