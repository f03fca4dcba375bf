import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { idInRequest, id, string } from '../../kernel/schemas.ts'

export const CHANNEL_ADDRESS_LIMIT: Limit = { most: 500, per: 'creator', what: 'channel email addresses' }

/** Clients match this text: no error code covers a missing `PARLEY_INCOMING_MAIL_DOMAIN`. */
export const NO_INCOMING_MAIL_MESSAGE = 'This server does not receive email.'

const addressInput = z.object({
  stream_id: id,
  sender_id: z.optional(idInRequest),
})

export const getChannelEmailAddress = endpoint({
  id: 'getChannelEmailAddress',
  method: 'GET',
  path: '/streams/:stream_id/email_address',
  summary: 'Get the email address for posting in a channel.',
  description:
    'Anyone who knows the address can post with it, as long as the user who requested it can post there. Options ' +
    'in front of the `@`, after a `+` or `.` and joined by `.`, change the message: `show-sender` names the sender, ' +
    '`include-quotes` and `include-footer` keep quoted text and the signature, and `prefer-html` uses the HTML part.',
  since: 226,
  input: addressInput,
  output: z.object({ email: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const renewChannelEmailAddress = endpoint({
  id: 'renewChannelEmailAddress',
  method: 'POST',
  path: '/streams/:stream_id/email_address',
  summary: 'Create a new email address for posting in a channel. All previous addresses stop working.',
  description:
    'Requires permission to administer the channel and to post in it. Other users who had an address for the ' +
    'channel can request a new one while they can post there.',
  since: 420,
  input: addressInput,
  output: z.object({ email: string }),
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL', 'CONFIRMATION_REQUIRED'],
})
