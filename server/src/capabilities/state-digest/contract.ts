import * as z from 'zod/mini'
import { digestOf, digestOfSet, digestText } from '../../kernel/digest.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import type { ClientState } from '../../kernel/event.ts'
import { integer, string } from '../../kernel/schemas.ts'
import { topicKey, type UnreadConversations, type UnreadMessages } from '../messages/contract/index.ts'

const names = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(500))

/** What is digested unless a client names other types: what is the user's own, and changes the most. */
export const DIGESTED_EVENT_TYPES: readonly string[] = [
  'message',
  'update_message_flags',
  'starred_messages',
  'subscription',
  'user_topic',
  'muted_users',
]

export const getStateDigest = endpoint({
  id: 'getStateDigest',
  method: 'GET',
  path: '/state_digest',
  summary: 'Get digests of the state that an event queue should have brought a client to.',
  description:
    'A client compares them with the digests of the state that it has folded from the events up to `position`, as `driftOf` of the typed client does, and reads anew what differs. Each is of a field as `POST /register` would answer it to this client at that position.',
  since: 420,
  input: z.object({
    queue_id: string,
    /**
     * Of which event types the state is digested, as `fetch_event_types` of `POST /register`, as far as the queue gets
     * them. By default these are unread and starred messages, subscriptions, and what the user has muted or follows.
     */
    fetch_event_types: z.optional(names),
    /** Fields of which the digest of each entry is wanted as well, to see which of them differ. */
    entries_of: z._default(names, []),
  }),
  output: z.object({
    /** The position of the log at which the state is digested. An event of the queue is at `log_position` plus its id divided by 1,024. */
    position: integer,
    /** By the name of a field of the state. */
    digests: z.record(string, string),
    /** By the names of those of the asked fields that have entries, and the keys of these. */
    entries: z.record(string, z.record(string, string)),
  }),
  errors: ['BAD_EVENT_QUEUE_ID'],
})

/**
 * Fields that no event keeps up to date, or that name the registration: a folded state may have others. Which message is
 * the newest is as of registration where messages were moved or deleted since.
 */
const NOT_FOLDED: ReadonlySet<string> = new Set([
  'queue_id',
  'last_event_id',
  'log_position',
  'result',
  'msg',
  'ignored_parameters_unsupported',
  'service_feature_level',
  'service_version',
  'service_merge_base',
  'server_timestamp',
  'presence_last_update_id',
  'presences',
  'max_message_id',
  'recent_private_conversations',
])

interface Entry {
  readonly key: string
  readonly value: unknown
}

type Fields = Readonly<Record<string, unknown>>

const byChannel = (record: Fields): string => String(record['stream_id'])
const byUser = (record: Fields): string => String(record['user_id'])

/** Lists whose order has no meaning, with what names a record of each. */
const KEYS: Readonly<Record<string, (record: Fields) => string>> = {
  subscriptions: byChannel,
  unsubscribed: byChannel,
  never_subscribed: byChannel,
  streams: byChannel,
  realm_users: byUser,
  realm_non_active_users: byUser,
  user_topics: (record) => `${String(record['stream_id'])}/${String(record['topic_name'])}`,
}

/** The names of the fields of a state that have digests: of all that events keep up to date. */
export function digestedFields(state: ClientState): string[] {
  const isWhole = unreadIn(state)?.old_unreads_missing !== true
  // A list of the newest unread messages alone, and one that grew from it, need not agree on which are missing.
  return Object.keys(state).filter((name) => !NOT_FOLDED.has(name) && (name !== 'unread_msgs' || isWhole))
}

function unreadIn(state: ClientState): UnreadMessages | undefined {
  // The register response sets this field, in the shape that its capability declares.
  return state['unread_msgs'] as UnreadMessages | undefined
}

/** The digest of a field of a client's state, with those of its entries where the field is made of such. */
export function digestField(
  state: ClientState,
  name: string,
): { readonly digest: string; readonly entries?: Readonly<Record<string, string>> } {
  const entries = entriesOf(state, name)
  if (entries === undefined) return { digest: digestText(digestOf(state[name])) }
  const digests = entries.map(({ key, value }) => [key, digestOf([key, value])] as const)
  return {
    digest: digestText(digestOfSet(digests.map(([, digest]) => digest))),
    entries: Object.fromEntries(digests.map(([key, digest]) => [key, digestText(digest)])),
  }
}

function entriesOf(state: ClientState, name: string): Entry[] | undefined {
  const value = state[name]
  if (name === 'unread_msgs' && value !== undefined) return unreadEntries(value as UnreadMessages)
  if (name === 'unread_conversations' && value !== undefined) return conversationEntries(value as UnreadConversations)
  const keyOf = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined
  if (keyOf === undefined || !Array.isArray(value)) return undefined
  // The register response sets these fields to lists of records.
  return (value as Fields[]).map((record) => ({ key: keyOf(record), value: record }))
}

/**
 * The unread messages by conversation, and what is said of all of them, but for their number: clients that are not told
 * which topics are unmuted cannot count as the server does.
 */
function unreadEntries({ pms, streams, huddles, mentions, old_unreads_missing }: UnreadMessages): Entry[] {
  return [
    ...pms.map((value) => ({ key: `direct/${value.other_user_id}`, value })),
    ...huddles.map((value) => ({ key: `direct/${value.user_ids_string}`, value })),
    ...streams.map((value) => ({ key: `topic/${value.stream_id}/${value.topic}`, value })),
    ...Object.entries({ mentions, old_unreads_missing }).map(([key, value]) => ({ key, value })),
  ]
}

/**
 * What is counted of each conversation. Ranges of the same messages have many forms, and the newest one is known until it is
 * read alone, so they have no digest.
 */
function conversationEntries({ channels, directs }: UnreadConversations): Entry[] {
  const counted = ({ count, mentions = [] }: { count: number; mentions?: number[] | undefined }) => ({
    count,
    mentions,
  })
  return [
    ...channels.flatMap(({ stream_id, topics }) =>
      topics.map((one) => ({ key: `topic/${stream_id}/${topicKey(one.topic)}`, value: counted(one) })),
    ),
    ...directs.map((one) => ({ key: `direct/${one.user_ids.join()}`, value: counted(one) })),
  ]
}
