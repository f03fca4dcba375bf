import type { Description } from './described.ts'
import { ofChannels } from './channels.ts'
import { ofOrganization } from './organization.ts'
import { ofPeople } from './people.ts'

export const DESCRIPTIONS: ReadonlyMap<string, Description['describe']> = new Map(
  [...ofPeople, ...ofChannels, ...ofOrganization].map(({ event, describe }) => [event, describe]),
)

/**
 * Events that are not administration: personal content and settings, and repetitions of another event. A test requires
 * every declared event to be described or listed here.
 */
export const NO_ADMINISTRATION: ReadonlySet<string> = new Set([
  'message',
  'update_message',
  'delete_message',
  'submessage',
  'reaction/add',
  'reaction/remove',
  'attachment/add',
  'attachment/update',
  'attachment/remove',
  'update_message_flags/add',
  'update_message_flags/remove',
  'alert_words',
  'drafts/add',
  'drafts/update',
  'drafts/remove',
  'muted_users',
  'muted_topics',
  'user_topic',
  'navigation_view/add',
  'navigation_view/update',
  'navigation_view/remove',
  'onboarding_steps',
  'preferences',
  'reminders/add',
  'reminders/remove',
  'saved_snippets/add',
  'saved_snippets/update',
  'saved_snippets/remove',
  'scheduled_messages/add',
  'scheduled_messages/update',
  'scheduled_messages/remove',
  'user_status',
  'user_settings/update',
  'update_display_settings',
  'update_global_notifications',
  'realm_export_consent',
  'device/add',
  'device/remove',
  'presence',
  'heartbeat',
  'typing/start',
  'typing/stop',
  'typing_edit_message/start',
  'typing_edit_message/stop',
  // Anyone can ask to join; only joining itself is audited.
  'registrations/add',
  'registrations/remove',
  'subscription/add',
  'subscription/remove',
  'subscription/update',
  'subscription/peer_add',
  'subscription/peer_remove',
  // These repeat other events for some users: a removal, a restored access, or a legacy form.
  'realm_bot/add',
  'realm_bot/delete',
  'realm_user/remove',
  'stream/delete',
  'user_group/remove',
  'realm_filters',
])
