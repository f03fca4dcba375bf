import type * as z from 'zod/mini'
import type { Endpoint } from '../kernel/endpoint.ts'
import { sampleOf } from './samples.ts'

/** What a parameter, or a part of one, can name that somebody may not see. */
export type Kind =
  | 'user'
  | 'channel'
  | 'topic'
  | 'message'
  | 'group'
  | 'folder'
  | 'queue'
  | 'draft'
  | 'snippet'
  | 'stored'
  | 'scheduled'
  | 'reminder'
  | 'attachment'
  | 'file'
  | 'view'
  | 'linkifier'
  | 'playground'
  | 'field'
  | 'emoji'
  | 'narrow'
  | 'text'
  /** A channel's name, where a channel of this name is made if there is none. */
  | 'new channel'

/** What parameters and the members of objects in them name, by their name, wherever it is the same. */
const NAMED: Readonly<Record<string, Kind>> = {
  user_id: 'user',
  user_ids: 'user',
  muted_user_id: 'user',
  bot_id: 'user',
  bot_owner_id: 'user',
  user_id_or_email: 'user',
  principals: 'user',
  members: 'user',
  direct_members: 'user',
  subscribers: 'user',
  stream_id: 'channel',
  stream: 'channel',
  subscriptions: 'channel',
  default_sending_stream: 'channel',
  default_events_register_stream: 'channel',
  moderation_request_channel_id: 'channel',
  new_stream_announcements_stream_id: 'channel',
  service_update_announcements_stream_id: 'channel',
  signup_announcements_stream_id: 'channel',
  topic: 'topic',
  topic_name: 'topic',
  message_id: 'message',
  message_ids: 'message',
  msg_ids: 'message',
  messages: 'message',
  anchor: 'message',
  user_group_id: 'group',
  subgroups: 'group',
  add_subgroups: 'group',
  delete_subgroups: 'group',
  direct_subgroups: 'group',
  channel_folder_id: 'folder',
  folder_id: 'folder',
  queue_id: 'queue',
  draft_id: 'draft',
  saved_snippet_id: 'snippet',
  keys: 'stored',
  scheduled_message_id: 'scheduled',
  reminder_id: 'reminder',
  attachment_id: 'attachment',
  filename: 'file',
  fragment: 'view',
  filter_id: 'linkifier',
  ordered_linkifier_ids: 'linkifier',
  playground_id: 'playground',
  field_id: 'field',
  emoji_code: 'emoji',
  content: 'text',
  description: 'text',
}

/** The same where endpoints use one word for several things. */
const NAMED_BY_ENDPOINT: Readonly<Record<string, readonly Kind[]>> = {
  'getUserByEmail.email': ['user'],
  'updateUserByEmail.email': ['user'],
  'updateUserGroupMembers.add': ['user'],
  'updateUserGroupMembers.delete': ['user'],
  'updateUserGroupSubgroups.add': ['group'],
  'updateUserGroupSubgroups.delete': ['group'],
  'updateSubscriptions.delete': ['channel'],
  'updateSubscriptions.name': ['new channel'],
  'subscribe.name': ['new channel'],
  'createChannel.name': ['new channel'],
  'sendMessage.to': ['channel', 'user'],
  'createScheduledMessage.to': ['channel', 'user'],
  'updateScheduledMessage.to': ['channel', 'user'],
  'createDrafts.to': ['channel', 'user'],
  'updateDraft.to': ['channel', 'user'],
  'setTypingStatus.to': ['user'],
  'deleteOwnProfileData.data': ['field'],
  'updateOwnProfileData.id': ['field'],
  'updateOwnProfileData.value': ['user'],
  'updateUser.id': ['field'],
  'updateUser.value': ['user'],
  'updateUserByEmail.id': ['field'],
  'updateUserByEmail.value': ['user'],
  'reorderCustomProfileFields.order': ['field'],
  'reorderChannelFolders.order': ['folder'],
  'testWelcomeMessage.welcome_message_custom_text': ['text'],
}

const SETTING = 'says how something is to be, and names nothing'
const WORDS = 'the own words, in which nothing is looked up'
const NEW = 'what something new is to be called; names are taken by what is hidden too, since they are unique'

/** Why the others need not be tried with what is hidden. */
export const NAMES_NOTHING_HIDDEN: Readonly<Record<string, string>> = {
  alert_words: WORDS,
  anchor_date: 'a time',
  color: SETTING,
  domain: 'domains are for everybody in the organization',
  bot_type: 'a word of the API',
  default_code_block_language: SETTING,
  default_language: SETTING,
  'createUser.email': NEW,
  'updateSettings.email': NEW,
  'updateDisplaySettings.email': NEW,
  'updateNotificationSettings.email': NEW,
  new_email: NEW,
  'uploadCustomEmoji.emoji_name': 'custom emoji are for everybody in the organization',
  emoji_name: 'custom emoji are for everybody in the organization',
  email_notifications_batching_period_seconds: SETTING,
  event_types: 'words of the API',
  fetch_event_types: 'words of the API',
  field_data: SETTING,
  flag: 'a word of the API',
  full_name: NEW,
  highlighter_language: SETTING,
  hint: SETTING,
  history_limit_days: SETTING,
  'createDrafts.id': 'what the client says is not used',
  'updateDraft.id': 'what the client says is not used',
  jitsi_server_url: SETTING,
  last_event_id: 'a place in the own queue',
  last_update_id: 'a place among updates',
  local_id: 'the own name for a message',
  message_content_delete_limit_seconds: SETTING,
  message_content_edit_limit_seconds: SETTING,
  message_retention_days: SETTING,
  move_messages_between_streams_limit_seconds: SETTING,
  move_messages_within_stream_limit_seconds: SETTING,
  msg_type: WORDS,
  name: NEW,
  new_name: NEW,
  new_password: 'a secret of the caller',
  old_password: 'a secret of the caller',
  password: 'a secret of the caller',
  note: WORDS,
  num_after: 'a count',
  num_before: 'a count',
  offset: 'a count',
  limit: 'a count',
  operator: 'a word of the API',
  order: 'a place in a list',
  pattern: SETTING,
  presence_history_limit_days: SETTING,
  prev_content_sha256: 'a digest of what the caller has read',
  queue_lifespan_secs: 'a time',
  reaction_type: 'a word of the API',
  realm_id_str: 'the own organization, of which everybody knows',
  scheduled_delivery_timestamp: 'a time',
  short_name: NEW,
  status_text: WORDS,
  storage: WORDS,
  text: SETTING,
  timestamp: 'a time',
  timezone: SETTING,
  title: WORDS,
  url_template: SETTING,
  username: 'logging in is refused alike for whatever reason: see authentication.test.ts',
  value: SETTING,
  waiting_period_threshold: SETTING,
  web_font_size_px: SETTING,
  web_line_height_percent: SETTING,
  welcome_message_custom_text: WORDS,
  widget_content: WORDS,
  deactivation_notification_comment: WORDS,
}

/** One place in a parameter where a number or a text stands. */
export interface Leaf {
  readonly parameter: string
  /** The nearest name: of the parameter, or of the member of an object that holds it. */
  readonly name: string
  readonly type: 'number' | 'string'
  /** The parameter's value with something in this place. */
  readonly with: (value: unknown, beside: Beside) => unknown
}

/** What stands beside a value in the objects that hold it, where they take it. */
export type Beside = Readonly<Record<string, unknown>>

/** The parts of a zod definition that say where values stand. */
interface Definition {
  type: string
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  options?: readonly z.ZodMiniType[]
  element?: z.ZodMiniType
  items?: readonly z.ZodMiniType[]
  shape?: Readonly<Record<string, z.ZodMiniType>>
  valueType?: z.ZodMiniType
}

type Put = Leaf['with']

/** All places of an endpoint's parameters where a number or a text stands. */
export function leavesOf({ input: { shape } }: Endpoint): Leaf[] {
  return Object.entries(shape).flatMap(([parameter, schema]) =>
    // A ZodObject's shape holds zod types; the declared type is zod's core interface.
    [...leavesIn(schema as z.ZodMiniType, parameter, (value) => value)].map((leaf) => ({ parameter, ...leaf })),
  )
}

function* leavesIn(schema: z.ZodMiniType, name: string, put: Put): Generator<Omit<Leaf, 'parameter'>> {
  // zod's definitions are a union over all its classes; only these fields are read.
  const definition = schema.def as unknown as Definition
  const { type, innerType, in: input, options, element, items = [], shape, valueType } = definition
  if (type === 'string') yield { name, type, with: put }
  if (type === 'number' || type === 'int') yield { name, type: 'number', with: put }
  for (const inner of [innerType ?? [], input ?? [], options ?? []].flat()) yield* leavesIn(inner, name, put)
  if (element !== undefined) yield* leavesIn(element, name, (value, beside) => put([value], beside))
  if (valueType !== undefined) yield* leavesIn(valueType, name, (value, beside) => put({ 1: value }, beside))
  for (const [index, item] of items.entries()) {
    const others = items.map(sampleOf)
    yield* leavesIn(item, name, (value, beside) => put(others.with(index, value), beside))
  }
  for (const [member, field] of Object.entries(shape ?? {})) {
    yield* leavesIn(field, member, (value, beside) =>
      put({ ...siblings(shape ?? {}, beside), [member]: value }, beside),
    )
  }
}

/** What an object must hold. */
function siblings(shape: Readonly<Record<string, z.ZodMiniType>>, beside: Beside): Beside {
  return Object.fromEntries(
    Object.entries(shape)
      .map(([name, schema]) => {
        const wanted = beside[name]
        // Whoever needs no list gets an empty one, which names nothing.
        const candidates = [...(wanted === undefined ? [] : [wanted, [wanted]]), undefined, [], sampleOf(schema)]
        return [name, candidates.find((one) => schema.safeParse(one).success)] as const
      })
      .filter(([, value]) => value !== undefined),
  )
}

/** What may stand in this place that somebody may not see; undefined where nobody has said. */
export function kindsOf(endpoint: Endpoint, { name, type }: Leaf): readonly Kind[] | undefined {
  const here = `${endpoint.id}.${name}`
  const special = Object.hasOwn(NAMED_BY_ENDPOINT, here) ? NAMED_BY_ENDPOINT[here] : undefined
  if (special !== undefined) return special
  // Of settings that name a group, with what they were and what they are to be.
  if (type === 'number' && /^(can_\w+_group|new|old)$/.test(name)) return ['group']
  const kind = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  if (kind !== undefined) return [kind]
  return Object.hasOwn(NAMES_NOTHING_HIDDEN, here) || Object.hasOwn(NAMES_NOTHING_HIDDEN, name) ? [] : undefined
}
