import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, composedText, id, integer, limitedRecord, nothing, string, text } from '../../kernel/schemas.ts'
import { channelName } from '../channels/contract/index.ts'
import { botService, BOT_TYPE, botDefaults, MAX_FULL_NAME_CHARACTERS, role } from '../users/contract/index.ts'
import { event } from '../../kernel/event.ts'
import { changeableBotFields, managedBot, managedBotsIn } from '../users/contract/bots.ts'

export const BOT_LIMIT: Limit = { most: 500, per: 'owner', what: 'bots, including deactivated ones' }

const MAX_SHORT_NAME_LENGTH = 100

export const MAX_PAYLOAD_URL_LENGTH = 2_000

/** A URL; existing clients send it JSON-encoded. */
const payloadUrl = z.pipe(
  text(MAX_PAYLOAD_URL_LENGTH + '""'.length),
  z.transform((given) => (/^"[^"\\]*"$/.test(given) ? given.slice(1, -1) : given)),
)

const botServices = z.array(botService)

const defaultChannels = {
  default_sending_stream: z.optional(channelName),
  /** Channel to which a queue's messages are limited if its registration has no narrow; empty for no limit. */
  default_events_register_stream: z.optional(channelName),
  /** Whether queues receive messages from all public channels unless the registration specifies otherwise. */
  default_all_public_streams: z.optional(boolean),
}

export const getBots = endpoint({
  id: 'getBots',
  method: 'GET',
  path: '/bots',
  summary: 'List your active bots.',
  since: 0,
  input: nothing,
  output: z.object({
    bots: z.array(
      z.strictObject({
        user_id: id,
        username: string,
        full_name: string,
        api_key: string,
        avatar_url: string,
        ...botDefaults,
      }),
    ),
  }),
  errors: ['CONFIRMATION_REQUIRED'],
})

export const createBot = endpoint({
  id: 'createBot',
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot.',
  since: 0,
  file: 'picture',
  input: z.object({
    full_name: composedText(MAX_FULL_NAME_CHARACTERS),
    /** Prefix of the bot's address, followed by `-bot` and the domain `realm_bot_domain`. */
    short_name: composedText(MAX_SHORT_NAME_LENGTH),
    /** 1: full API. 2: incoming webhook, only sends. 3: outgoing webhook, receives and answers. 4: unsupported. */
    bot_type: z._default(integer, BOT_TYPE.generic),
    /** URL that receives an outgoing webhook bot's messages. Private networks need the operator's permission. */
    payload_url: z._default(payloadUrl, ''),
    /** Format of requests to `payload_url`: 1 (default) for this API's format, 2 for Slack's format. */
    interface_type: z.optional(integer),
    ...defaultChannels,
  }),
  output: z.object({ user_id: id, api_key: string, avatar_url: string, services: botServices, ...botDefaults }),
  errors: ['BAD_REQUEST', 'BAD_IMAGE', 'STREAM_DOES_NOT_EXIST', 'CONFIRMATION_REQUIRED'],
})

export const updateBot = endpoint({
  id: 'updateBot',
  method: 'PATCH',
  path: '/bots/:bot_id',
  summary: "Update a bot's name, avatar, role, owner, or default channels.",
  since: 0,
  file: 'picture',
  input: z.object({
    bot_id: id,
    full_name: z.optional(composedText(MAX_FULL_NAME_CHARACTERS)),
    role: z.optional(role),
    /**
     * Administrators can choose any person, other members only themselves. Replaces the API key and the webhook token,
     * and ends the bot's queues and channel email addresses. The new owner of an outgoing webhook bot receives its URL
     * in a message.
     */
    bot_owner_id: z.optional(integer),
    /** Only for outgoing webhook bots. Also resumes a paused bot. */
    service_payload_url: z.optional(payloadUrl),
    /** Defaults to 1 if only the URL is given. */
    service_interface: z.optional(integer),
    ...defaultChannels,
  }),
  output: z.object({
    full_name: string,
    avatar_url: string,
    ...botDefaults,
    bot_owner: z.optional(string),
  }),
  errors: ['BAD_REQUEST', 'BAD_IMAGE', 'STREAM_DOES_NOT_EXIST', 'CONFIRMATION_REQUIRED'],
})

export const deactivateBot = endpoint({
  id: 'deactivateBot',
  method: 'DELETE',
  path: '/bots/:bot_id',
  summary: 'Deactivate a bot. Its messages stay.',
  since: 0,
  input: z.object({ bot_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getBotApiKey = endpoint({
  id: 'getBotApiKey',
  method: 'GET',
  path: '/bots/:bot_id/api_key',
  summary: 'Show the API key of a bot to the users who manage it.',
  since: 0,
  input: z.object({ bot_id: id }),
  output: z.object({ api_key: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const regenerateBotApiKey = endpoint({
  id: 'regenerateBotApiKey',
  method: 'POST',
  path: '/bots/:bot_id/api_key/regenerate',
  summary: 'Create a new API key for a bot. The previous key stops working.',
  since: 0,
  input: z.object({ bot_id: id }),
  output: z.object({ api_key: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const getBotService = endpoint({
  id: 'getBotService',
  method: 'GET',
  path: '/bots/:bot_id/service',
  summary: "Get an outgoing webhook bot's URL and token. Only for users who manage the bot.",
  since: 420,
  input: z.object({ bot_id: id }),
  output: z.object({
    service: botService,
    /** If true, nothing is sent to the URL until it is set again, because the bot owner's access was revoked. */
    is_paused: boolean,
  }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const regenerateBotToken = endpoint({
  id: 'regenerateBotToken',
  method: 'POST',
  path: '/bots/:bot_id/service/regenerate_token',
  summary: 'Create a new token for an outgoing webhook bot. The previous token is no longer sent.',
  since: 420,
  input: z.object({ bot_id: id }),
  output: z.object({ token: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const botAdded = event({
  type: 'realm_bot',
  op: 'add',
  summary: 'A bot was created, or the receiver now manages it.',
  payload: z.strictObject({ bot: managedBot }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const bots = managedBotsIn(state)
    if (bots === undefined) return
    const others = bots.filter(({ user_id }) => user_id !== bot.user_id)
    state['realm_bots'] = [...others, bot].toSorted((a, b) => a.user_id - b.user_id)
  },
})

export const botUpdated = event({
  type: 'realm_bot',
  op: 'update',
  summary: 'A bot that the receiver manages changed. Contains the changed fields.',
  payload: z.strictObject({ bot: z.extend(z.partial(z.strictObject(changeableBotFields)), { user_id: id }) }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const known = managedBotsIn(state)?.find(({ user_id }) => user_id === bot.user_id)
    if (known !== undefined) Object.assign(known, bot)
  },
})

export const botDeleted = event({
  type: 'realm_bot',
  op: 'delete',
  summary: 'The receiver no longer manages a bot. The bot may still be active.',
  payload: z.strictObject({ bot: z.strictObject({ user_id: id }) }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const bots = managedBotsIn(state)
    if (bots !== undefined) state['realm_bots'] = bots.filter(({ user_id }) => user_id !== bot.user_id)
  },
})

export const MAX_STORAGE_KEY_LENGTH = 500
export const STORED_CHARACTER_LIMIT: Limit = {
  most: 2_000_000,
  per: 'account',
  what: 'characters of stored values and their keys',
}
export const STORED_KEY_LIMIT: Limit = { most: 50_000, per: 'account', what: 'stored values' }
export const MAX_KEYS_PER_REQUEST = 2_000

/** Values by key, opaque to the server. */
const storageEntries = limitedRecord(text(MAX_STORAGE_KEY_LENGTH), string, MAX_KEYS_PER_REQUEST)
const storageKeys = z.optional(z.array(text(MAX_STORAGE_KEY_LENGTH)))

export const getStorage = endpoint({
  id: 'getStorage',
  method: 'GET',
  path: '/bot_storage',
  summary: "Read the bot's stored values: the given keys, or all.",
  since: 0,
  input: z.object({ keys: storageKeys }),
  output: z.object({ storage: z.record(string, string) }),
  errors: ['BAD_REQUEST'],
})

export const updateStorage = endpoint({
  id: 'updateStorage',
  method: 'PUT',
  path: '/bot_storage',
  summary: 'Store values for the bot. Other keys are unchanged.',
  description: `A request can have up to ${MAX_KEYS_PER_REQUEST} keys.`,
  since: 0,
  input: z.object({ storage: storageEntries }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeStorage = endpoint({
  id: 'removeStorage',
  method: 'DELETE',
  path: '/bot_storage',
  summary: "Delete the bot's stored values: the given keys, or all.",
  since: 0,
  input: z.object({ keys: storageKeys }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
