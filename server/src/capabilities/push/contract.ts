import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, nothing, string } from '../../kernel/schemas.ts'

export const PUSH_TOKEN_LIMIT: Limit = {
  most: 50,
  per: 'user',
  what: 'phone tokens; the oldest is removed',
}
export const CLIENT_DEVICE_LIMIT: Limit = {
  most: 30,
  per: 'user',
  what: 'client devices; the oldest is removed',
}
export const MAX_TOKEN_CHARACTERS = 4_096
export const MAX_APP_ID_CHARACTERS = 155

const pushToken = string

export const addApnsToken = endpoint({
  id: 'addApnsToken',
  method: 'POST',
  path: '/users/me/apns_device_token',
  summary: 'Register an APNs device token.',
  since: 0,
  input: z.object({ token: pushToken, appid: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeApnsToken = endpoint({
  id: 'removeApnsToken',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  summary: 'Remove an APNs device token.',
  since: 0,
  input: z.object({ token: pushToken }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const addFcmToken = endpoint({
  id: 'addFcmToken',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Register an FCM device token.',
  since: 0,
  input: z.object({ token: pushToken }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeFcmToken = endpoint({
  id: 'removeFcmToken',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Remove an FCM device token.',
  since: 0,
  input: z.object({ token: pushToken }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getPushTokens = endpoint({
  id: 'getPushTokens',
  method: 'GET',
  path: '/users/me/push_tokens',
  summary: 'List your device tokens, most recent first.',
  since: 420,
  input: nothing,
  output: z.object({
    push_tokens: z.array(
      z.strictObject({
        token_kind: z.enum(['apns', 'fcm']),
        token: string,
        /** Null for FCM tokens. */
        appid: z.nullable(string),
        /** UNIX seconds. */
        registered_at: integer,
      }),
    ),
  }),
  errors: [],
})

export const testPushNotification = endpoint({
  id: 'testPushNotification',
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary:
    'Send a test notification to your phones. Always refused: not supported by this server; see ' +
    '`POST /push_subscriptions`.',
  since: 217,
  input: z.object({ token: z.optional(pushToken) }),
  output: nothing,
  errors: ['INVALID_PUSH_DEVICE_TOKEN', 'PUSH_SERVICE_NOT_CONFIGURED'],
})

export const registerPushDevice = endpoint({
  id: 'registerPushDevice',
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Register a phone for encrypted notifications. Always refused: not supported by this server.',
  since: 406,
  input: z.object({
    token_kind: z.enum(['fcm', 'apns']),
    push_account_id: integer,
    push_public_key: string,
    bouncer_public_key: string,
    encrypted_push_registration: string,
  }),
  output: nothing,
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
})

export const testEncryptedPushNotification = endpoint({
  id: 'testEncryptedPushNotification',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  summary: 'Send an encrypted test notification. Always refused: not supported by this server.',
  since: 420,
  input: z.object({ push_account_id: z.optional(integer) }),
  output: nothing,
  errors: ['NO_ACTIVE_PUSH_DEVICE'],
})

export const registerClientDevice = endpoint({
  id: 'registerClientDevice',
  method: 'POST',
  path: '/register_client_device',
  summary: 'Register the device that a client runs on.',
  since: 468,
  input: nothing,
  output: z.object({ device_id: id }),
  errors: ['BAD_REQUEST'],
})

export const NO_PUSH_FIELDS = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
} as const

declare module '../../kernel/event.ts' {
  interface StateFields {
    devices: Record<string, typeof NO_PUSH_FIELDS>
  }
}

function devicesIn(state: ClientState): Record<string, typeof NO_PUSH_FIELDS> | undefined {
  return state['devices']
}

export const deviceAdded = event({
  type: 'device',
  op: 'add',
  summary: 'The user registered a device.',
  payload: z.strictObject({ device_id: id }),
  touches: ['devices'],
  apply(state, { device_id }) {
    const devices = devicesIn(state)
    if (devices !== undefined) devices[String(device_id)] ??= { ...NO_PUSH_FIELDS }
  },
})

export const deviceRemoved = event({
  type: 'device',
  op: 'remove',
  summary: 'A device of the user was removed.',
  payload: z.strictObject({ device_id: id }),
  touches: ['devices'],
  apply(state, { device_id }) {
    const devices = devicesIn(state)
    if (devices !== undefined) delete devices[String(device_id)]
  },
})
