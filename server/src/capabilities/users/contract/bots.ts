import * as z from 'zod/mini'
import type { ClientState } from '../../../kernel/event.ts'
import { boolean, id, integer, string } from '../../../kernel/schemas.ts'

/**
 * Values of `bot_type`. Generic bots use the whole API; incoming webhook bots can only send messages; outgoing webhook
 * bots receive messages over HTTP; embedded bots run in the server.
 */
export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** The format in which an outgoing webhook bot receives messages: this API's or Slack's. */
export const PAYLOAD_INTERFACE = { generic: 1, slack: 2 } as const

/** The service that receives the messages of an outgoing webhook bot. */
export const botService = z.strictObject({
  base_url: string,
  /** Sent with each message, so that the service can verify that the server sent it. */
  token: string,
  /** 1 for the format of this API, 2 for Slack's. */
  interface: integer,
})
export type BotService = z.output<typeof botService>

/** The bot's default channels, by name. Null if there is none or the reader cannot know of it. */
const channels = {
  /** The channel to which the bot sends channel messages whose `to` is empty. */
  default_sending_stream: z.nullable(string),
  /** The channel whose messages the bot's queues receive if they have no narrow. */
  default_events_register_stream: z.nullable(string),
}

/** Defaults for requests of the bot that leave these values out. */
export const botDefaults = {
  ...channels,
  /** Whether its queues receive messages from all public channels. */
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
  /** One for an outgoing webhook bot, none for other bots. */
  services: z.array(botService),
  is_active: boolean,
}

/** A bot as its managers see it. */
export const managedBot = z.strictObject({ user_id: id, email: string, bot_type: integer, ...changeableBotFields })
export type ManagedBot = z.output<typeof managedBot>

/** The bots that the receiver manages; undefined unless the client asked for them. */
export function managedBotsIn(state: ClientState): ManagedBot[] | undefined {
  // The register response has this field, as declared by this capability.
  return state['realm_bots'] as ManagedBot[] | undefined
}

/** Updates the bot's copy of the user's address. */
export function applyBotEmail(state: ClientState, userId: number, email: string): void {
  const bot = managedBotsIn(state)?.find(({ user_id }) => user_id === userId)
  if (bot !== undefined) bot.email = email
}
