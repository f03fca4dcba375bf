import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, id, integer, nothing, string } from '../../kernel/schemas.ts'
import { messageEdit } from '../message-edits/contract.ts'
import { message } from '../messages/contract/index.ts'
import { narrow } from '../messages/contract/narrow.ts'
import { caseKey } from '../../kernel/case-key.ts'

export const MAX_MESSAGES_PER_FETCH = 5_000

const messageFlags = z.array(string)
const messageWithFlags = z.extend(message, {
  flags: messageFlags,
  /** Newest first, as far as the organization shows edit history. */
  edit_history: z.optional(z.array(messageEdit)),
  /** UNIX seconds of the last content edit. */
  last_edit_timestamp: z.optional(integer),
  last_moved_timestamp: z.optional(integer),
})

/** HTML in which each match is wrapped in `<span class="highlight">`. */
const matchFields = { match_content: string, match_subject: string }

/** File that a message links to, with the part of its text that matches, as HTML like `match_content`. */
const matchingFile = z.strictObject({
  /** Path of the file's URL after `/user_uploads/`. */
  path_id: string,
  name: string,
  match_content: string,
})
export type MatchingFile = z.output<typeof matchingFile>

export const getMessages = endpoint({
  id: 'getMessages',
  method: 'GET',
  path: '/messages',
  summary: 'List messages around an anchor.',
  description:
    'With `order: best` in the narrow, the newest 1,000 matches of a search up to the anchor are ranked, and the best of them come last. Without authentication, the narrow must contain `channels:web-public`, and besides it only the operators `channel`, `topic`, `id`, `near`, `has`, and `search`, which then finds words in the texts of messages by their beginning. `message_ids` are not allowed.',
  since: 0,
  forTokens: 'reading',
  forChannelTokens: true,
  forSpectators: true,
  input: z.object({
    /** A message ID, `newest`, `oldest`, `first_unread`, or `date` for the first message since `anchor_date`. */
    anchor: z.optional(string),
    /** ISO 8601. Only for `anchor=date`. */
    anchor_date: z.optional(string),
    include_anchor: z._default(boolean, true),
    num_before: z.optional(z.int().check(z.minimum(0))),
    num_after: z.optional(z.int().check(z.minimum(0))),
    narrow: z.pipe(
      z._default(z.nullable(narrow), []),
      z.transform((terms) => terms ?? []),
    ),
    client_external_avatar: z._default(boolean, true),
    apply_markdown: z._default(boolean, true),
    /** Legacy form of `anchor=first_unread`. */
    use_first_unread_anchor: z._default(boolean, false),
    /** Not allowed with an anchor. */
    message_ids: z.optional(z.array(id).check(z.maxLength(MAX_MESSAGES_PER_FETCH))),
    allow_empty_topic_name: z._default(boolean, false),
  }),
  output: z.object({
    /** For `newest`, 10,000,000,000,000,000: larger than every message ID. */
    anchor: z.optional(z.number().check(z.multipleOf(1))),
    found_anchor: boolean,
    found_oldest: boolean,
    found_newest: boolean,
    history_limited: boolean,
    /** Present for a while after an upgrade, an import, or a change of the languages: the search may miss messages. */
    search_incomplete: z.optional(z.literal(true)),
    /** Present if a search without authentication stopped before the oldest message: the anchor with which to go on. */
    searched_from: z.optional(integer),
    /** Present if it stopped before the newest message. */
    searched_to: z.optional(integer),
    /** Present if nothing was found, and other words, one typo away, were searched instead. */
    search_corrections: z.optional(z.array(z.object({ word: string, corrected_to: z.array(string) }))),
    /** Present if matches were ranked: how many, and whether these were all up to the anchor. */
    search_ranking: z.optional(z.object({ matches: integer, found_oldest: boolean })),
    messages: z.array(
      z.extend(messageWithFlags, {
        match_content: z.optional(matchFields.match_content),
        match_subject: z.optional(matchFields.match_subject),
        /** Present if the text of files that the message links to matches. */
        match_files: z.optional(z.array(matchingFile)),
      }),
    ),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'REQUEST_VARIABLE_MISSING', 'REQUEST_VARIABLE_INVALID'],
})

export const matchesNarrow = endpoint({
  id: 'matchesNarrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Check which messages match a narrow.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ msg_ids: z.array(id).check(z.maxLength(MAX_MESSAGES_PER_FETCH)), narrow }),
  output: z.object({
    /** By message ID. */
    messages: z.record(string, z.strictObject(matchFields)),
  }),
  errors: ['BAD_NARROW'],
})

export const getMessage = endpoint({
  id: 'getMessage',
  method: 'GET',
  path: '/messages/:message_id',
  summary: 'Get a message.',
  since: 0,
  forTokens: 'reading',
  forChannelTokens: true,
  forSpectators: true,
  input: z.object({
    message_id: id,
    apply_markdown: z._default(boolean, true),
    allow_empty_topic_name: z._default(boolean, false),
  }),
  output: z.object({ raw_content: string, message: messageWithFlags }),
  errors: ['BAD_REQUEST'],
})

export const getSearchSettings = endpoint({
  id: 'getSearchSettings',
  method: 'GET',
  path: '/search_settings',
  summary: 'Get the languages whose word forms a search knows.',
  description: 'Administrators change them with `search_languages` of `PATCH /realm`.',
  since: 420,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ languages: z.array(string) }),
  errors: [],
})

export interface NarrowedMessage {
  readonly id: number
  readonly channelId: number | null
  readonly topic: string
  readonly senderId: number
  readonly memberIds: readonly number[] | null
  readonly renderedContent: string
  readonly flags: readonly string[]
}

type MessageMatcher = (message: NarrowedMessage) => boolean

const hasAnyFlag =
  (...names: readonly string[]): MessageMatcher =>
  ({ flags: known }) =>
    names.some((name) => known.includes(name))

const isDirect: MessageMatcher = ({ channelId }) => channelId === null

export const MATCHERS_BY_STATE = {
  dm: isDirect,
  private: isDirect,
  starred: hasAnyFlag('starred'),
  alerted: hasAnyFlag('has_alert_word'),
  mentioned: hasAnyFlag('mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned'),
  unread: ({ flags: known }) => !known.includes('read'),
} as const satisfies Record<string, MessageMatcher>

/** HTML fragments, each found in exactly the messages with that kind of content. */
export const CONTENT_HTML = {
  link: '<a href="',
  attachment: '<a href="/user_uploads/',
  image: '<div class="message_inline_image">',
} as const

export function hasContent(content: keyof typeof CONTENT_HTML): MessageMatcher {
  return ({ renderedContent }) => renderedContent.includes(CONTENT_HTML[content])
}

export function isInChannel(channelId: number): MessageMatcher {
  return (one) => one.channelId === channelId
}

export function isInTopic(name: string): MessageMatcher {
  const key = caseKey(name)
  return ({ channelId, topic }) => channelId !== null && caseKey(topic) === key
}

export function isFromSender(userId: number): MessageMatcher {
  return ({ senderId }) => senderId === userId
}

/** `memberIds` are all users in the conversation, ascending. */
export function isInConversation(memberIds: readonly number[]): MessageMatcher {
  return (one) => one.memberIds?.join() === memberIds.join()
}

export function isDirectWith(userIds: readonly number[]): MessageMatcher {
  return ({ memberIds }) => memberIds !== null && userIds.every((userId) => memberIds.includes(userId))
}
