import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'

/** The behaviour clients may rely on: every feature introduced up to this level. */
export const FEATURE_LEVEL = 420

/** Limits in Unicode code points, reported by the register response and enforced everywhere. */
export const LIMITS = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1_024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1_024,
  max_reminder_note_length: 1_000,
} as const

/** The most users subscribed at once who are sent a message about it; where there are more, no message is sent. */
export const MAX_NEW_SUBSCRIPTION_MESSAGES = 100

export const MAX_ORGANIZATION_NAME = 40
export const MAX_ORGANIZATION_DESCRIPTION = 1_000
export const MAX_SUBDOMAIN = 40
/** The limit of avatars, emoji, icons and logos. */
export const MAX_PICTURE_MEBIBYTES = 5

/** The name of the empty topic for clients that do not know the empty topic. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

export const getServerSettings = endpoint({
  id: 'getServerSettings',
  method: 'GET',
  path: '/server_settings',
  summary: 'Describe the server, the organization at this host name and how to log in.',
  since: 0,
  authentication: 'none',
  input: z.object({}),
  output: z.object({
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(
      z.strictObject({
        name: z.string(),
        display_name: z.string(),
        display_icon: z.nullable(z.string()),
        login_url: z.string(),
        signup_url: z.string(),
      }),
    ),
    service_feature_level: z.int(),
    service_version: z.string(),
    service_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_uri: z.optional(z.string()),
    realm_url: z.optional(z.string()),
    realm_name: z.optional(z.string()),
    realm_icon: z.optional(z.string()),
    realm_description: z.optional(z.string()),
    realm_web_public_access_enabled: z.optional(z.boolean()),
  }),
  errors: [],
})
