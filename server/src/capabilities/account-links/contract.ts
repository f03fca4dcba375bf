import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, linkToken, mailAddress, nothing, string } from '../../kernel/schemas.ts'
import { signInResponse } from '../sessions/contract.ts'

export const ACCOUNT_LINK_LIMIT: Limit = {
  most: 5,
  per: 'user',
  what: 'password reset links (beyond the limit, none are sent) and email confirmation links (the oldest expire)',
}

export const ADDRESS_MAIL_LIMIT: Limit = {
  most: 5,
  per: 'user',
  what: 'emails per hour to confirm new addresses',
}
export const ADDRESS_MAIL_PERIOD_SECONDS = 3_600

export const PASSWORD_REQUEST_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'password reset requests waiting to be answered by email',
}

export const PASSWORD_LINK_SECONDS = 3_600
export const ADDRESS_LINK_SECONDS = 86_400

export const requestPasswordReset = endpoint({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/password_reset',
  summary: 'Request a password reset link by email.',
  description: 'The response is the same whether or not the address has an account.',
  since: 420,
  authentication: 'none',
  input: z.object({ email: mailAddress }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/** On servers that send email, people request the link themselves. */
export const SERVER_SENDS_EMAIL_MESSAGE = 'This server sends email. The person can request a link.'

export const makePasswordLink = endpoint({
  id: 'makePasswordLink',
  method: 'POST',
  path: '/users/:user_id/password_link',
  summary: 'Create a password reset link for another user. Administrators only, on a server without email.',
  description:
    'Refused if `PARLEY_SMTP_URL` is set, because people can then request a link themselves. Administrators ' +
    'cannot create links for owners. The link works once, for one hour, and does not replace two-factor ' +
    'authentication. The audit log records who created it.',
  since: 420,
  input: z.object({ user_id: id }),
  output: z.object({ password_link: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

const revoked = z.object({
  sessions: integer,
  passkeys: integer,
  api_tokens: integer,
  identities: integer,
  channel_addresses: integer,
  push_subscriptions: integer,
  push_tokens: integer,
  bot_keys: integer,
  /** Number of outgoing webhook bots that got a new token and are paused until their URL is set again. */
  outgoing_webhooks: integer,
  administrator_invitations: integer,
})

export const resetPassword = endpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/password_reset/confirm',
  summary: 'Set a new password with the token of a link, and sign in the browser.',
  description:
    'Revokes everything else that gives access to the account, because an intruder may have added it: sessions, ' +
    'sign-in links, event queues, the API key, API tokens, passkeys, identities at a provider, push subscriptions and ' +
    "tokens, pending email changes, invitations of administrators, the API keys of the account's bots, and channel email " +
    'addresses of the account and its bots. Outgoing webhook bots get a new token, and are paused until their URL is set ' +
    'again. Two-factor authentication stays on. The token follows `#` in the link. An unknown, used, or expired token, ' +
    'or one of another organization, gets the same refusal. The response sets the session cookie, as `POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken, password: string }),
  output: z.extend(signInResponse, { revoked }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})

export const revokeOwnAccess = endpoint({
  id: 'revokeOwnAccess',
  method: 'POST',
  path: '/users/me/revoke_access',
  summary: "Revoke all access to your account except this browser's session and your password.",
  description:
    "Revokes what `POST /password_reset/confirm` revokes, except this browser's session and push subscription. A new " +
    'password in `PATCH /settings` ends only other sessions and API tokens, and counts as a confirmation, so that this ' +
    'request can follow. Requires a session.',
  since: 420,
  input: nothing,
  output: z.object({ revoked }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const confirmEmail = endpoint({
  id: 'confirmEmail',
  method: 'POST',
  path: '/email/confirm',
  summary: 'Confirm a new email address with the token of the link sent to it.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({ email: string }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})
