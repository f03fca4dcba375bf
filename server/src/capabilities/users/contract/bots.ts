import * as z from 'zod/mini'
import type { ClientState } from '../../../kernel/event.ts'
import { boolean, id, integer, string } from '../../../kernel/schemas.ts'

/**
 * `bot_type`: one that uses the whole API, one that may only send messages, one that is sent what is said to it, and one
 * that is a program of the server itself.
 */
export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** In which form an outgoing webhook bot is sent messages: our own, or that of Slack. */
export const PAYLOAD_INTERFACE = { generic: 1, slack: 2 } as const

/** Where an outgoing webhook bot is sent what is said to it. */
export const botService = z.strictObject({
  base_url: string,
  /** Comes with each message, so that what is at the URL knows the server by it. */
  token: string,
  /** 1 for the form of this API, 2 for that of Slack. */
  interface: integer,
})
export type BotService = z.output<typeof botService>

/** The channels that a bot has by default, by name: null for none, and for one that the reader may not know of. */
const channels = {
  /** The channel to which the bot sends channel messages whose `to` is empty. */
  default_sending_stream: z.nullable(string),
  /** The channel whose messages the bot's queues without a narrow get. */
  default_events_register_stream: z.nullable(string),
}

/** The bot's defaults, for what its program does not say. */
export const botDefaults = {
  ...channels,
  /** Whether its queues get messages from all public channels. */
  default_all_public_streams: boolean,
}

export type BotDefaults = Readonly<z.output<z.ZodMiniObject<typeof botDefaults>>>
export type BotChannel = keyof typeof channels

export const changeableBotFields = {
  full_name: string,
  api_key: string,
  avatar_url: string,
  owner_id: z.nullable(id),
  ...botDefaults,
  /** One for an outgoing webhook bot, and none for any other. */
  services: z.array(botService),
  is_active: boolean,
}

/** A bot as those see it who manage it. */
export const managedBot = z.strictObject({ user_id: id, email: string, bot_type: integer, ...changeableBotFields })
export type ManagedBot = z.output<typeof managedBot>

/** Those that the receiver manages, where the client asked for them. */
export function managedBotsIn(state: ClientState): ManagedBot[] | undefined {
  // The register response sets this field, in the shape that this capability declares.
  return state['realm_bots'] as ManagedBot[] | undefined
}

/** A bot's address changes with its user's. */
export function applyBotEmail(state: ClientState, userId: number, email: string): void {
  const bot = managedBotsIn(state)?.find(({ user_id }) => user_id === userId)
  if (bot !== undefined) bot.email = email
}
