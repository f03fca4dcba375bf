import type * as z from 'zod/mini'
import type { UserSettingName, UserSettingValue } from '../capabilities/users/contract/settings.ts'
import type * as contract from '../contract.ts'

/* Types of responses and events, derived from the declarations. */

export type Body = Record<string, unknown>

type Contract = typeof contract
type Declaration = { [Name in keyof Contract]: Contract[Name][keyof Contract[Name]] }[keyof Contract]

type Endpoint = Extract<Declaration, { readonly method: string; readonly path: string; readonly output: unknown }>
type Event = Extract<Declaration, { readonly type: string; readonly payload: unknown; readonly touches: unknown }>

// Not an interface, because interfaces cannot be passed as a `Body`.
type Envelope = {
  readonly result: 'success'
  readonly msg: string
  readonly ignored_parameters_unsupported?: readonly string[]
}

/** `:` for a path parameter, declared as `:message_id` and sent as a number or a computed text. */
type Segment<Text extends string> = Text extends `:${string}` | `${number}` ? ':' : string extends Text ? ':' : Text

type Pattern<Path extends string> = Path extends `/${infer First}/${infer Rest}`
  ? `/${Segment<First>}${Pattern<`/${Rest}`>}`
  : Path extends `/${infer Last}`
    ? `/${Segment<Last>}`
    : Path

/** The pattern of a path whose last segment is a parameter written as a literal, such as `/realm/emoji/wumpus`. */
type Parent<Path extends string> = Path extends `/${infer First}/${infer Rest}`
  ? `/${Segment<First>}${Parent<`/${Rest}`>}`
  : '/:'

/** Responses to which all capabilities contribute. */
interface ComposedResponses {
  readonly 'POST /register': RegisterResponse & Envelope
  readonly 'GET /events': { readonly events: ReceivedEvent[]; readonly queue_id: string } & Envelope
  readonly other: Body
}

type Responses = ComposedResponses & {
  readonly [E in Endpoint as Exclude<`${E['method']} ${Pattern<E['path']>}`, keyof ComposedResponses>]: z.input<
    E['output']
  > &
    Envelope
}

type Key<Method extends string, Path extends string> = Path extends unknown
  ? `${Method} ${Pattern<Path>}` extends infer Found extends keyof Responses
    ? Found
    : `${Method} ${Parent<Path>}` extends infer Found extends keyof Responses
      ? Found
      : 'other'
  : never

/**
 * The successful response to a method and path; `Body` if they are not literals or not declared. Not a
 * conditional type: the compiler would infer from the context of each call to each branch, which takes minutes.
 */
export type ResponseTo<Method extends string, Path extends string> = Responses[Key<Method, Path>]

/** The response to a request that can fail. */
export type AnyResponseTo<Method extends string, Path extends string> = Partial<ResponseTo<Method, Path>> & Body

type EventName<E extends Event> = [NonNullable<E['op']>] extends [never]
  ? E['type']
  : `${E['type']}/${NonNullable<E['op']>}`

/** Events by `type` or `type/op`. */
export type EventsByName = {
  readonly [E in Event as EventName<E>]: z.output<E['payload']> & {
    readonly id: number
    readonly type: E['type']
    readonly op: E['op']
  }
}

/** An event of any type without its ID. Fields are typed if all events that contain them agree. */
export interface EventFields {
  readonly type: string
  readonly op?: string
  readonly flags?: string[]
  readonly message?: contract.messages.Message
  readonly message_details?: Readonly<Record<string, contract.flags.MessageDetails>>
  readonly message_id?: number
  readonly message_ids?: number[]
  readonly presences?: Body
  readonly stream_ids?: number[]
  readonly streams?: ({ readonly stream_id: number } & Body)[]
  readonly submessage_id?: number
  readonly subscriptions?: ({ readonly stream_id: number } & Body)[]
  readonly user_ids?: number[]
  readonly [field: string]: unknown
}

export interface ReceivedEvent extends EventFields {
  readonly id: number
}

/** State that a client requested and receives when it registers a queue. */
export interface RegisterResponse {
  readonly queue_id: string
  readonly last_event_id: number
  readonly log_position?: number
  readonly user_id: number
  readonly full_name: string
  readonly email: string
  readonly realm_name: string
  readonly realm_url: string
  readonly max_message_id: number
  readonly alert_words: string[]
  readonly blocked_users: readonly number[]
  readonly bot_commands: contract.botCommands.BotCommand[]
  readonly channel_folders: contract.channelFolders.ChannelFolder[]
  readonly cross_realm_bots: contract.users.User[]
  readonly custom_profile_fields: contract.users.CustomProfileField[]
  readonly custom_profile_field_types: Readonly<Record<string, { readonly id: number; readonly name: string }>>
  readonly drafts: contract.drafts.Draft[]
  readonly muted_topics: contract.userTopics.MutedTopic[]
  readonly muted_users: contract.mutedUsers.MutedUser[]
  readonly navigation_views: contract.navigationViews.NavigationView[]
  readonly never_subscribed: contract.channels.ListedChannel[]
  readonly onboarding_steps: contract.onboarding.OnboardingStep[]
  readonly preferences: contract.preferences.Preferences
  readonly presences: contract.presence.Presences
  readonly realm_bots: contract.users.ManagedBot[]
  readonly realm_default_stream_groups: contract.defaultChannelGroups.DefaultChannelGroup[]
  readonly realm_default_streams: number[]
  readonly realm_domains: contract.organizations.RealmDomain[]
  readonly realm_emoji: Readonly<Record<string, contract.customEmoji.CustomEmoji>>
  readonly realm_linkifiers: contract.linkifiers.Linkifier[]
  readonly realm_non_active_users: contract.users.User[]
  readonly realm_playgrounds: contract.playgrounds.Playground[]
  readonly realm_user_groups: contract.groups.UserGroup[]
  readonly realm_users: contract.users.User[]
  readonly recent_private_conversations: { user_ids: number[]; max_message_id: number }[]
  readonly reminders: contract.reminders.ListedReminder[]
  readonly saved_snippets: contract.snippets.SavedSnippet[]
  readonly scheduled_messages: contract.scheduledMessages.ScheduledMessage[]
  readonly server_thumbnail_formats: contract.uploads.ThumbnailFormat[]
  readonly starred_messages: number[]
  readonly streams: contract.channels.ListedChannel[]
  readonly subscriptions: contract.channels.SubscriptionRecord[]
  readonly unread_conversations: contract.messages.UnreadConversations
  readonly unread_msgs: Pick<contract.messages.UnreadMessages, keyof contract.messages.UnreadMessages>
  readonly unsubscribed: contract.channels.SubscriptionRecord[]
  readonly user_settings: {
    readonly [Name in UserSettingName]: UserSettingValue<Name>
  }
  readonly user_status: Readonly<Record<string, contract.users.Status>>
  readonly user_topics: contract.userTopics.UserTopic[]
  [field: string]: unknown
}
