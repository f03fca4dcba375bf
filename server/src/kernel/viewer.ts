import type { OrganizationState } from './projection.ts'

/** Options that a client registered with. Clients with equal options get the same bytes, except `perUserFields`. */
export interface ClientForm {
  readonly applyMarkdown: boolean
  readonly clientExternalAvatar: boolean
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  readonly slimPresence: boolean
  /** Whether the client is a browser with a session. Browsers do not receive the API keys of bots. */
  readonly isBrowser: boolean
  readonly capabilities: ClientCapabilities
}

/** Capabilities that existing clients know. The oldest clients declare none. */
export const API_CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
] as const

export const CLIENT_CAPABILITIES = [
  ...API_CAPABILITIES,
  // Parley's own extensions, used only for clients that declare them.
  'log_position',
  'long_lifespan',
  'unread_ranges',
  'preferences',
  'registrations',
  'packed_lists',
  'channel_pins',
  'bot_commands',
  'message_reports',
  'held_messages',
  'community',
  'blocked_users',
  'bans',
  'public_pages',
] as const

export type ApiCapability = (typeof API_CAPABILITIES)[number]
export type ClientCapability = (typeof CLIENT_CAPABILITIES)[number]
export type ClientCapabilities = Readonly<Record<ClientCapability, boolean>>

export interface Viewer {
  readonly userId: number
  readonly organization: OrganizationState
  readonly form: ClientForm
}

export interface Registration {
  readonly form: ClientForm
  /** Null for all types. */
  readonly eventTypes: readonly string[] | null
  /** Narrow terms, with names already replaced by IDs. */
  readonly narrow: readonly { readonly operator: string; readonly value: unknown; readonly negated: boolean }[]
  readonly allPublicStreams: boolean
}
