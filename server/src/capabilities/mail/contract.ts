import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { linkToken, string } from '../../kernel/schemas.ts'

export const OUTGOING_MAIL_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'e-mails that wait for being sent; no more are written then',
}

export const unsubscribe = endpoint({
  id: 'unsubscribeFromEmails',
  method: 'POST',
  path: '/unsubscribe',
  summary: 'Switch off the e-mails of one kind, by the token of such an e-mail.',
  description:
    'Programs for e-mail send it where their reader presses "unsubscribe" (RFC 8058). It changes the one setting by which the e-mail ' +
    'was sent, and may be sent again. A token that is unknown or of another organization, or whose account has another address now, is refused alike.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({
    /** Name of the setting that is now off: a personal one, or the channel's. */
    setting: string,
  }),
  errors: ['AUTHENTICATION_FAILED'],
})
