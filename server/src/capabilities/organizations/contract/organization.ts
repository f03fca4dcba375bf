import * as z from 'zod/mini'
import { endpoint, PUBLIC_READ_RATE } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, integer, nothing, string, id } from '../../../kernel/schemas.ts'

/** Feature level reported to clients, which rely on every feature introduced up to that level. */
export const FEATURE_LEVEL = 420

/** API version. Existing clients compare it, so releases of the program do not change it. */
export const API_VERSION = '0.1.0'

export const LIMITS = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1_024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1_024,
  max_reminder_note_length: 1_000,
} as const

/** If a request subscribes more users than this, the server sends none of them a message about it. */
export const MAX_NEW_SUBSCRIPTION_MESSAGES = 100

export const MAX_ORGANIZATION_NAME_CHARACTERS = 40
export const MAX_ORGANIZATION_DESCRIPTION_CHARACTERS = 1_000
export const MAX_SUBDOMAIN_CHARACTERS = 40
export const MAX_PICTURE_MEBIBYTES = 5

/** Name of the empty topic for clients that do not support an empty topic. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

export const getServerSettings = endpoint({
  id: 'getServerSettings',
  method: 'GET',
  path: '/server_settings',
  summary: 'Get the server, the organization at this host name, and its sign-in methods.',
  since: 0,
  authentication: 'none',
  withoutOrganization: true,
  ratePerAddress: PUBLIC_READ_RATE,
  input: nothing,
  output: z.object({
    authentication_methods: z.record(string, boolean),
    external_authentication_methods: z.array(
      z.strictObject({
        name: string,
        display_name: string,
        display_icon: z.nullable(string),
        login_url: string,
        signup_url: string,
      }),
    ),
    service_feature_level: integer,
    service_version: string,
    service_merge_base: string,
    push_notifications_enabled: boolean,
    is_incompatible: boolean,
    email_auth_enabled: boolean,
    require_email_format_usernames: boolean,
    realm_uri: z.optional(string),
    realm_url: z.optional(string),
    realm_name: z.optional(string),
    realm_icon: z.optional(string),
    realm_description: z.optional(string),
    realm_web_public_access_enabled: z.optional(boolean),
  }),
  errors: [],
})

export const deactivateRealm = endpoint({
  id: 'deactivateRealm',
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Deactivate the organization. Owners only.',
  description:
    "Nothing is deleted, and the server's operator can reactivate the organization. Until then, all requests to " +
    'it are refused with `REALM_DEACTIVATED`.',
  since: 0,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  summary: 'The organization was deactivated. The last event of every queue.',
  payload: z.strictObject({ realm_id: id }),
  touches: [],
  apply() {},
})

const iconUrlResponse = z.object({ icon_url: string })
const logoUrlResponse = z.object({ logo_url: string })

const logoInput = z.object({ night: boolean })

export const uploadIcon = endpoint({
  id: 'uploadIcon',
  method: 'POST',
  path: '/realm/icon',
  summary: "Upload the organization's icon. Cropped to a square.",
  since: 0,
  file: 'picture',
  input: nothing,
  output: iconUrlResponse,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeIcon = endpoint({
  id: 'removeIcon',
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Reset the organization's icon.",
  since: 0,
  input: nothing,
  output: iconUrlResponse,
  errors: ['BAD_REQUEST'],
})

export const uploadLogo = endpoint({
  id: 'uploadLogo',
  method: 'POST',
  path: '/realm/logo',
  summary: "Upload the organization's logo.",
  since: 0,
  file: 'picture',
  input: logoInput,
  output: logoUrlResponse,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeLogo = endpoint({
  id: 'removeLogo',
  method: 'DELETE',
  path: '/realm/logo',
  summary: "Reset the organization's logo.",
  since: 0,
  input: logoInput,
  output: logoUrlResponse,
  errors: ['BAD_REQUEST'],
})
