import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { linkToken, mailAddress, nothing, string } from '../../kernel/schemas.ts'
import { signedIn } from '../sessions/contract.ts'

export const ACCOUNT_LINK_LIMIT: Limit = {
  most: 5,
  per: 'user',
  what: 'links sent by e-mail for another password, and as many for another address; the oldest one ends',
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

export const resetPassword = endpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/password_reset/confirm',
  summary: 'Choose another password by the token of a link, and sign the browser in.',
  description:
    'All sessions and event queues end, and the API key stops working. The token is what stands behind `#` in the address. One that is ' +
    'unknown, used, over or of another organization is refused alike. The answer sets the cookie of a session, as that of `POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken, password: string }),
  output: signedIn,
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
