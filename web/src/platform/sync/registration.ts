import type { ClientCapabilities } from '@parley/server/kernel/viewer'
import { STATE_PARTS } from '../../kernel/state.ts'

export const REGISTRATION_PARAMETERS = {
  apply_markdown: true,
  client_external_avatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    log_position: true,
    long_lifespan: true,
    unread_ranges: true,
    preferences: true,
    registrations: true,
    packed_lists: true,
    channel_pins: true,
    bot_commands: true,
    message_reports: true,
    held_messages: true,
    community: true,
    blocked_users: true,
    bans: true,
    public_pages: true,
  } satisfies ClientCapabilities,
  fetch_event_types: [...STATE_PARTS],
}

/** Servers with web-public channels also answer signed-out clients, but without a log position. */
export function isSignedIn({ ok, headers }: Response): boolean {
  return ok && headers.has('parley-position')
}
