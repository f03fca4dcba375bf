import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { givenId, id, string } from '../../kernel/schemas.ts'

export const CHANNEL_ADDRESS_LIMIT: Limit = { most: 500, per: 'creator', what: 'e-mail addresses of channels' }

/** Clients match this text: no error code covers a missing `PARLEY_INCOMING_MAIL_DOMAIN`. */
export const NO_INCOMING_MAIL = 'This server does not receive email.'

const wanted = z.object({
  stream_id: id,
  /** Account that posts the emails: the user, one of the user's bots, or the notification bot (default). */
  sender_id: z.optional(givenId),
})

export const getChannelEmailAddress = endpoint({
  id: 'getChannelEmailAddress',
  method: 'GET',
  path: '/streams/:stream_id/email_address',
  summary: 'Learn the e-mail address that posts into a channel.',
  description:
    'Whoever knows the address can post by it, as long as the user who asked for it may post there. What stands behind `+` in front of the ' +
    '`@` changes how: `show-sender` says who wrote, `include-quotes` and `include-footer` keep what an answer quotes and ' +
    'the signature, `prefer-html` reads the HTML of the e-mail rather than its plain text; several are joined by `.`.',
  since: 226,
  input: wanted,
  output: z.object({ email: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const renewChannelEmailAddress = endpoint({
  id: 'renewChannelEmailAddress',
  method: 'POST',
  path: '/streams/:stream_id/email_address',
  summary:
    'Get another e-mail address that posts into a channel: all that were given out for it before stop working at once.',
  description:
    'It takes who may administer the channel and post there. Whoever else had an address of the channel gets another one by asking again, as ' +
    'long as they may post there.',
  since: 420,
  input: wanted,
  output: z.object({ email: string }),
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL', 'CONFIRMATION_REQUIRED'],
})
