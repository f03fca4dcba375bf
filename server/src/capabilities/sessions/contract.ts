import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string } from '../../kernel/schemas.ts'

export const SESSION_SECONDS = 30 * 86_400

/** Seconds after signing in or confirming during which a person can change credentials. */
export const CONFIRMED_SECONDS = 600

export const SESSION_LIMIT: Limit = {
  most: 100,
  per: 'user',
  what: 'sessions of browsers; the one that was unused for longest ends',
}

export const LOGIN_LINK_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'links that sign in and are still good; the one that is over first ends',
}

export const KNOWN_DEVICE_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'devices that are known, of which no e-mail tells; the one that was unused for longest is forgotten',
}

/** The session's secret is only in the cookie. */
export const signedIn = z.object({
  user_id: id,
  /** The real email, as in `fetch_api_key`. */
  email: string,
  /**
   * The sign-in is incomplete: continue at `POST /login/second_factor` with a `code`, or at `POST
   * /login/second_factor/setup`, or with a `passkey`.
   */
  second_factor: z.optional(z.object({ kind: z.enum(['code', 'setup', 'passkey']), token: string })),
})

export const login = endpoint({
  id: 'login',
  method: 'POST',
  path: '/login',
  summary: 'Sign a browser in with an e-mail address and a password.',
  description:
    'The answer sets the cookie of a new session, which no script can read; the session that the browser had ends. It takes ' +
    'and refuses what `fetch_api_key` does, and failed logins count together. An account with a second factor is not signed in by ' +
    'this alone: see `second_factor` in the answer.',
  since: 420,
  authentication: 'none',
  input: z.object({ username: string, password: string }),
  output: signedIn,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const loginByLink = endpoint({
  id: 'loginByLink',
  method: 'POST',
  path: '/login_link',
  summary: 'Sign a browser in with the token of a link that the server made.',
  description:
    'The token is what stands behind `#link=` in the address. Most links are good once. One that is unknown, used, over or ' +
    'of another organization is refused alike.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: string }),
  output: signedIn,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const logout = endpoint({
  id: 'logout',
  method: 'POST',
  path: '/logout',
  summary: 'Sign this browser out: end its session, with the event queues that were registered in it.',
  since: 420,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const confirmSession = endpoint({
  id: 'confirmSession',
  method: 'POST',
  path: '/session/confirm',
  summary: 'Confirm with the password that the person who signed this browser in is using it.',
  description:
    'Changes of what gives access to an account, such as its address or its API key, answer `CONFIRMATION_REQUIRED` to a browser in which ' +
    'nobody has signed in or confirmed it within ten minutes. `methods` of that answer lists how to: `password` here, `passkey` at ' +
    '`POST /session/confirm/passkey`. If the list is empty, the person signs in again. Requests with an API key need no confirmation.',
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
  summary: 'List the browsers in which you are signed in, those used last first.',
  since: 420,
  input: nothing,
  output: z.object({ sessions: z.array(session) }),
  errors: [],
})

export const endSession = endpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/sessions/:session_id',
  summary: 'Sign one of your browsers out: end its session, with the event queues that were registered in it.',
  since: 420,
  input: z.object({ session_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
