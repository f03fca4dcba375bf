import type { OrganizationState } from './projection.ts'

/**
 * What a client said about itself when it registered its queue, on which the form of its events and snapshots
 * depends. Two clients with the same form get the same bytes for the fields that do not differ per receiver.
 */
export interface ClientForm {
  readonly applyMarkdown: boolean
  readonly clientExternalAvatar: boolean
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  readonly slimPresence: boolean
  readonly capabilities: ClientCapabilities
}

/** `client_capabilities`: what the client says it understands. All false for the oldest clients. */
export const CLIENT_CAPABILITIES = [
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
  // Ours: what the API's own clients do not know is told only to clients that say so.
  'log_position',
  'long_lifespan',
  'unread_ranges',
  'preferences',
  'registrations',
] as const

export type ClientCapability = (typeof CLIENT_CAPABILITIES)[number]
export type ClientCapabilities = Readonly<Record<ClientCapability, boolean>>

/** The receiver of an event or a snapshot. */
export interface Viewer {
  readonly userId: number
  readonly organization: OrganizationState
  readonly form: ClientForm
}

/** What an event queue was registered with. */
export interface Registration {
  readonly form: ClientForm
  /** Event types wanted; null for all. */
  readonly eventTypes: readonly string[] | null
  /** The narrow as the narrow capability has parsed it; the names in it are looked up once. */
  readonly narrow: readonly { readonly operator: string; readonly value: unknown; readonly negated: boolean }[]
  readonly allPublicStreams: boolean
}
