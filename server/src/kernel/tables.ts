import type { ColumnType, Generated } from 'kysely'

/*
 * The columns of every table, as the migrations made them. A table is written only by the capability or platform
 * module that lists it as its own (see architecture.test.ts). Every `bigint` fits a JavaScript number: ids are
 * positions of an organization's log.
 */

type Json<T> = ColumnType<T, string, string>
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** A PostgreSQL int8multirange in its text form, e.g. `{[3,7),[9,10)}`. */
type Multirange = string

export interface Tables {
  organizations: { id: Generated<number>; string_id: string; position: Generated<number> }
  organization_settings: {
    organization_id: number
    name: string
    description: string
    date_created: number
    deactivated: boolean
    settings: Json<Record<string, unknown>>
    rendered_description: Generated<string>
    user_settings_defaults: JsonWithDefault<Record<string, unknown>>
    pictures: JsonWithDefault<Record<string, string>>
  }
  user_groups: {
    organization_id: number
    id: number
    name: string
    name_key: string
    description: string
    creator_id: number | null
    date_created: number | null
    is_system_group: boolean
    deactivated: boolean
    permissions: Json<Record<string, unknown>>
  }
  group_members: { organization_id: number; group_id: number; user_id: number }
  group_subgroups: { organization_id: number; group_id: number; subgroup_id: number }
  users: {
    organization_id: number
    id: number
    email: string
    email_key: string
    delivery_email: string
    delivery_email_key: string
    full_name: string
    role: number
    is_active: boolean
    bot_type: number | null
    bot_owner_id: number | null
    is_system_bot: Generated<boolean>
    date_joined: number
    timezone: string
    avatar_version: number
    /** Of an uploaded picture; null for the one the server draws. */
    avatar_file: string | null
    settings: Json<Record<string, unknown>>
    profile_data: JsonWithDefault<Record<string, { value: string; rendered_value?: string }>>
    bot_habits: JsonWithDefault<Record<string, number | boolean | null>>
  }
  /** When it was noted last, once a day, that the user asked for something. */
  user_activity: { organization_id: number; user_id: number; noted_at: number }
  user_statuses: {
    organization_id: number
    user_id: number
    status_text: string
    /** Empty where there is none, as are the code and, then of no meaning, `unicode_emoji` the type. */
    emoji_name: string
    emoji_code: string
    reaction_type: string
  }
  custom_profile_fields: {
    organization_id: number
    id: number
    type: number
    display_order: number
    name: string
    hint: string
    field_data: string
    display_in_profile_summary: boolean
    required: boolean
    editable_by_user: boolean
  }
  credentials: {
    organization_id: number
    user_id: number
    password_hash: string | null
    api_key: string
    deactivation_comment: Generated<string | null>
  }
  channels: {
    organization_id: number
    id: number
    name: string
    name_key: string
    description: string
    rendered_description: string
    date_created: number
    creator_id: number | null
    invite_only: boolean
    is_web_public: boolean
    history_public_to_subscribers: boolean
    is_default: boolean
    is_archived: boolean
    message_retention_days: number | null
    topics_policy: string
    folder_id: number | null
    first_message_id: number | null
    is_recently_active: Generated<boolean>
    /** Messages a week, as clients are shown it; null while the channel is too young. */
    weekly_traffic: number | null
    permissions: Json<Record<string, unknown>>
  }
  /** Messages sent to a channel on a day, counted from 1970. */
  channel_traffic: { organization_id: number; channel_id: number; day: number; messages: number }
  /** Messages up to this one are in `channel_traffic`, since that day. */
  channel_traffic_counted: { organization_id: number; counted_to: number; counted_on: number }
  subscriptions: {
    organization_id: number
    user_id: number
    channel_id: number
    periods: Multirange
    /** Ended with the account, and resumes with it. */
    is_resting: Generated<boolean>
    color: string
    is_muted: boolean
    pin_to_top: boolean
    desktop_notifications: boolean | null
    audible_notifications: boolean | null
    push_notifications: boolean | null
    email_notifications: boolean | null
    wildcard_mentions_notify: boolean | null
  }
  topics: {
    organization_id: number
    id: Generated<number>
    channel_id: number | null
    name: string
    name_key: string
    first_id: number
    max_id: number
    previous_id: number
  }
  conversations: { organization_id: number; id: number; member_ids: number[]; topic_id: number }
  conversation_members: { organization_id: number; user_id: number; conversation_id: number }
  user_topics: {
    organization_id: number
    user_id: number
    channel_id: number
    name_key: string
    topic_name: string
    visibility_policy: number
    last_updated: number
  }
  messages: {
    organization_id: number
    id: number
    channel_id: number | null
    topic_id: number
    sender_id: number
    content: string
    rendered_content: string
    date_sent: number
    client: string
    /** Whether its text mentions everybody in the channel or the conversation. */
    mentions_channel: boolean
    /** The topic as the message has it, where its row spells it otherwise. */
    topic_spelling: string | null
  }
  sent_local_ids: { organization_id: number; queue_id: string; local_id: string; message_id: number }
  topic_reads: { organization_id: number; user_id: number; topic_id: number; read: Multirange }
  user_reads: { organization_id: number; user_id: number; read: Multirange }
  message_flags: {
    organization_id: number
    user_id: number
    message_id: number
    starred: boolean
    collapsed: boolean
    /** By name or as a member of a group. */
    mentioned: boolean
    /** As somebody who took part in the topic. */
    topic_wildcard_mentioned: boolean
    has_alert_word: boolean
  }
  submessages: {
    organization_id: number
    id: number
    message_id: number
    sender_id: number
    msg_type: string
    content: string
  }
  reactions: {
    organization_id: number
    message_id: number
    reaction_type: string
    emoji_code: string
    user_id: number
    emoji_name: string
    /** Of the event that told of it: the order in which a message shows them. */
    position: number
  }
  /** Of one message: a change of its content, or a move, then with both topics. */
  message_edits: {
    organization_id: number
    message_id: number
    position: number
    user_id: number
    date_edited: number
    prev_content: string | null
    prev_rendered_content: string | null
    prev_topic: string | null
    topic: string | null
    /** Both null where the channel stayed. */
    prev_channel_id: number | null
    channel_id: number | null
  }
  /** Of a whole topic, for all messages that were in it then. */
  topic_moves: {
    organization_id: number
    topic_id: number
    position: number
    user_id: number
    date_edited: number
    prev_topic: string
    topic: string
    prev_channel_id: number | null
    channel_id: number | null
  }
  saved_snippets: {
    organization_id: number
    user_id: number
    id: number
    title: string
    content: string
    date_created: number
  }
  bot_storage: { organization_id: number; user_id: number; key: string; value: string; characters: Generated<number> }
  navigation_views: {
    organization_id: number
    user_id: number
    fragment: string
    id: number
    is_pinned: boolean
    name: string | null
  }
  realm_linkifiers: {
    organization_id: number
    id: number
    pattern: string
    url_template: string
    /** Of all the organization's linkifiers, from 0. */
    position: number
  }
  realm_domains: { organization_id: number; id: number; domain: string; allow_subdomains: boolean }
  realm_playgrounds: {
    organization_id: number
    id: number
    name: string
    highlighter_language: string
    url_template: string
  }
  channel_folders: {
    organization_id: number
    id: number
    name: string
    name_key: string
    description: string
    rendered_description: string
    /** Of all the organization's folders, from 0. */
    position: number
    date_created: number | null
    creator_id: number | null
    is_archived: boolean
  }
  drafts: {
    organization_id: number
    user_id: number
    id: number
    /** `stream`, `private` or empty. */
    type: string
    recipient_ids: number[]
    topic: string
    content: string
    last_edited: number
  }
  alert_words: {
    organization_id: number
    user_id: number
    word_key: string
    word: string
    id: number
  }
  muted_users: {
    organization_id: number
    user_id: number
    muted_user_id: number
    date_muted: number
    id: number
  }
  scheduled_messages: {
    organization_id: number
    id: number
    user_id: number
    channel_id: number | null
    /** Everybody in the conversation; empty for a channel. */
    member_ids: number[]
    topic: string
    content: string
    rendered_content: string
    delivery_at: number
    read_by_sender: boolean
    client: string
    failed: boolean
  }
  reminders: {
    organization_id: number
    id: number
    user_id: number
    message_id: number
    content: string
    rendered_content: string
    delivery_at: number
    failed: Generated<boolean>
  }
  newcomers: { organization_id: number; user_id: number }
  presences: { organization_id: number; user_id: number; active_at: number; idle_at: number; update_id: number }
  presence_clocks: { organization_id: number; last_update_id: number }
  upload_spaces: { organization_id: number; used_bytes: number; signing_key: string }
  attachments: {
    organization_id: number
    id: number
    owner_id: number
    path_id: string
    name: string
    content_type: string
    size: number
    date_created: number
    /** Null while a message links it. */
    unclaimed_since: number | null
  }
  attachment_messages: { organization_id: number; attachment_id: number; message_id: number }
  realm_emoji: {
    organization_id: number
    id: number
    name: string
    author_id: number
    file: string
    is_animated: boolean
    deactivated: boolean
  }
  events: {
    organization_id: number
    position: number
    type: string
    ref_id: number | null
    audience: Json<object>
    payload: Json<object>
    changes: Json<readonly unknown[]> | null
    recorded_at: number
  }
  queues: {
    organization_id: number
    id: string
    user_id: number
    registration: Json<object>
    start_position: number
    last_used_at: number
    /** How long the client asked it to stay without use. */
    lifespan_seconds: Generated<number>
  }
}
