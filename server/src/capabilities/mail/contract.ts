import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { linkToken, string } from '../../kernel/schemas.ts'

export const OUTGOING_MAIL_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'emails waiting to be sent; emails beyond the limit are dropped',
}

export const unsubscribe = endpoint({
  id: 'unsubscribeFromEmails',
  method: 'POST',
  path: '/unsubscribe',
  summary: 'Unsubscribe from one kind of email with a token from such an email.',
  description:
    'Email programs send it for one-click unsubscribe (RFC 8058). Changes the one setting behind the email, and ' +
    'is idempotent. An unknown token, one of another organization, or one for a former email address gets the ' +
    'same refusal.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({
    /** Name of the setting that is now off: a personal setting, or `email_notifications` of a channel. */
    setting: string,
  }),
  errors: ['AUTHENTICATION_FAILED'],
})
