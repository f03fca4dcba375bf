import * as z from 'zod/mini'
import type { Limit } from '../../../kernel/limits.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { id, nothing, string, text } from '../../../kernel/schemas.ts'
import { messageContent, submessage } from './records.ts'

export const SUBMESSAGE_LIMIT: Limit = { most: 1_000, per: 'message', what: 'submessages' }
/** Everyone who reads the message gets all its submessages. */
export const SUBMESSAGE_BYTES_LIMIT: Limit = { most: 1_000_000, per: 'message', what: 'bytes of submessages as JSON' }
const MAX_MESSAGE_TYPE_CHARACTERS = 50

export const WIDGET = 'widget'

/** Data that clients show instead of the text; sent as JSON. */
export const widget = z.object({
  widget_type: z.string().check(z.minLength(1)),
  extra_data: z.nullish(z.record(string, z.unknown())),
})

export const sendSubmessage = endpoint({
  id: 'sendSubmessage',
  method: 'POST',
  path: '/submessage',
  summary: 'Add a submessage to a message, such as a poll vote.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    /** Type of `content`; `widget` for the widget that the message was sent with. */
    msg_type: text(MAX_MESSAGE_TYPE_CHARACTERS),
    content: messageContent,
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const submessageAdded = event({
  type: 'submessage',
  summary: 'A user added a submessage to a message that the receiver can read.',
  payload: z.extend(z.omit(submessage, { id: true }), { submessage_id: id }),
  touches: [],
  apply: () => undefined,
})
