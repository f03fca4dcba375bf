import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, linkToken, mailAddress, nothing, string } from '../../kernel/schemas.ts'
import { signedIn } from '../sessions/contract.ts'

export const ACCOUNT_LINK_LIMIT: Limit = {
  most: 5,
  per: 'user',
  what: 'links for another password, and as many for another address; the oldest one ends',
}

export const ADDRESS_MAIL_LIMIT: Limit = {
  most: 5,
  per: 'user',
  what: 'e-mails within an hour to other addresses that one wants to have',
}
export const ADDRESS_MAIL_PERIOD_SECONDS = 3_600

export const PASSWORD_REQUEST_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'requests for another password that are being answered by e-mail',
}

export const PASSWORD_LINK_SECONDS = 3_600
export const ADDRESS_LINK_SECONDS = 86_400

export const requestPasswordReset = endpoint({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/password_reset',
  summary: 'Have a link sent to the own address, with which one chooses another password.',
  description: 'The answer is the same whether or not there is an account with the address.',
  since: 420,
  authentication: 'none',
  input: z.object({ email: mailAddress }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/** On servers that send email, people request the link themselves. */
export const SENDS_MAIL = 'This server sends email. The person can request a link.'

export const makePasswordLink = endpoint({
  id: 'makePasswordLink',
  method: 'POST',
  path: '/users/:user_id/password_link',
  summary:
    'Make the link with which somebody who has forgotten the password chooses another. Administrators only, where no e-mail is sent.',
  description:
    'Where `PARLEY_SMTP_URL` is set, people have the link sent to their own address, and nobody else gets one. Administrators make none for ' +
    'owners. The link is good once, for an hour. It does not stand for a second factor. The audit log says who made it.',
  since: 420,
  input: z.object({ user_id: id }),
  output: z.object({ password_link: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const resetPassword = endpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/password_reset/confirm',
  summary: 'Choose another password by the token of a link, and sign the browser in.',
  description:
    'Ends everything that gives access to the account, because an intruder may have added it: sessions, event queues, the ' +
    'API key, API tokens, passkeys, identities at a provider, channel email addresses, push subscriptions, and the API keys ' +
    'of the bots that the account owns. A second factor stays. The token follows `#` in the address of the link. One that ' +
    'is unknown, used, expired, or of another organization is refused alike. The response sets the cookie of a session, as ' +
    '`POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken, password: string }),
  output: z.extend(signedIn, {
    revoked: z.object({
      sessions: integer,
      passkeys: integer,
      api_tokens: integer,
      identities: integer,
      channel_addresses: integer,
      push_subscriptions: integer,
      bot_keys: integer,
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})

export const confirmEmail = endpoint({
  id: 'confirmEmail',
  method: 'POST',
  path: '/email/confirm',
  summary: 'Confirm the address to which one wants to change, by the token of the link that was sent there.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({ email: string }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})
