import type { Description } from './described.ts'
import { ofChannels } from './channels.ts'
import { ofOrganization } from './organization.ts'
import { ofPeople } from './people.ts'

/** How events of the administration are described, by their names in the log. */
export const DESCRIPTIONS: ReadonlyMap<string, Description['describe']> = new Map(
  [...ofPeople, ...ofChannels, ...ofOrganization].map(({ event, describe }) => [event, describe]),
)

/**
 * The events that are no administration: what people say and do for themselves, and what only repeats another event. Each
 * declared event is either described or stands here, which a test sees to, so that a new one is not forgotten.
 */
export const NO_ADMINISTRATION: ReadonlySet<string> = new Set([
  // What people say, and what they do with it.
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
  // What is one's own.
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
  // Who waits at the door, as anybody may: who comes in is described.
  'registrations/add',
  'registrations/remove',
  // Who is in a channel: people join and leave.
  'subscription/add',
  'subscription/remove',
  'subscription/update',
  'subscription/peer_add',
  'subscription/peer_remove',
  // Tell some what others are told in another way: that something goes, is there, or is so in older words.
  'realm_bot/add',
  'realm_bot/delete',
  'realm_user/remove',
  'stream/delete',
  'user_group/remove',
  'realm_filters',
])
