import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { id } from '../../kernel/parameters.ts'
import { messageEdit } from '../message-edits/contract/index.ts'
import { message } from '../messages/contract/index.ts'
import { narrow } from '../narrow/contract.ts'

/** Messages that one request may ask for. */
export const MAX_MESSAGES_PER_FETCH = 5_000

const flags = z.array(z.string())
const messageWithFlags = message.extend({
  flags,
  /** The newest change first, as far as the organization shows what messages were. */
  edit_history: z.array(messageEdit).optional(),
  /** UNIX seconds: of the last change of the content. */
  last_edit_timestamp: z.int().optional(),
  /** UNIX seconds. */
  last_moved_timestamp: z.int().optional(),
})

/** What a search found: HTML in which matches are `<span class="highlight">`. */
const match = { match_content: z.string(), match_subject: z.string() }

export const getMessages = endpoint({
  id: 'getMessages',
  method: 'GET',
  path: '/messages',
  summary: 'List messages around an anchor.',
  since: 0,
  input: z.object({
    /** A message id, `newest`, `oldest`, `first_unread`, or `date` for the first one since `anchor_date`. */
    anchor: z.string().optional(),
    /** ISO 8601; only for `anchor=date`. */
    anchor_date: z.string().optional(),
    include_anchor: z.boolean().default(true),
    num_before: z.int().min(0).optional(),
    num_after: z.int().min(0).optional(),
    narrow: narrow
      .nullable()
      .default([])
      .transform((terms) => terms ?? []),
    client_external_avatar: z.boolean().default(true),
    apply_markdown: z.boolean().default(true),
    /** The older way to say `anchor=first_unread`. */
    use_first_unread_anchor: z.boolean().default(false),
    /** These messages instead of a range: without an anchor. */
    message_ids: z.array(id).max(MAX_MESSAGES_PER_FETCH).optional(),
    allow_empty_topic_name: z.boolean().default(false),
  }),
  output: z.object({
    /** 10,000,000,000,000,000 beyond all messages. */
    anchor: z.number().multipleOf(1).optional(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    /** With what matched, where the narrow searches for words. */
    messages: z.array(
      messageWithFlags.extend({
        match_content: match.match_content.optional(),
        match_subject: match.match_subject.optional(),
      }),
    ),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'REQUEST_VARIABLE_MISSING', 'REQUEST_VARIABLE_INVALID'],
})

export const matchesNarrow = endpoint({
  id: 'matchesNarrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Tell which of some messages are in a narrow.',
  since: 0,
  input: z.object({ msg_ids: z.array(id).max(MAX_MESSAGES_PER_FETCH), narrow }),
  output: z.object({
    /** By message id. */
    messages: z.record(z.string(), z.strictObject(match)),
  }),
  errors: ['BAD_NARROW'],
})

export const getMessage = endpoint({
  id: 'getMessage',
  method: 'GET',
  path: '/messages/:message_id',
  summary: 'Show a message.',
  since: 0,
  input: z.object({
    message_id: id,
    apply_markdown: z.boolean().default(true),
    allow_empty_topic_name: z.boolean().default(false),
  }),
  output: z.object({ raw_content: z.string(), message: messageWithFlags }),
  errors: ['BAD_REQUEST'],
})
