import * as z from 'zod/mini'
import type { ClientState } from '../../../kernel/event.ts'
import { boolean, id, integer, string } from '../../../kernel/schemas.ts'

/** `incomingWebhook` only sends messages; `outgoingWebhook` receives them over HTTP; `embedded` runs in the server. */
export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** Format in which an outgoing webhook bot receives messages: this API's or Slack's. */
export const PAYLOAD_INTERFACE = { generic: 1, slack: 2 } as const

export const botService = z.strictObject({
  base_url: string,
  token: string,
  /** 1 for this API's format, 2 for Slack's. */
  interface: integer,
})
export type BotService = z.output<typeof botService>

/** Channel names; null if no channel is set or the reader cannot see it. */
const defaultChannelNames = {
  default_sending_stream: z.nullable(string),
  /** Channel to which a queue's messages are limited if its registration has no narrow. */
  default_events_register_stream: z.nullable(string),
}

export const botDefaults = {
  ...defaultChannelNames,
  default_all_public_streams: boolean,
}

export type BotDefaults = Readonly<z.output<z.ZodMiniObject<typeof botDefaults>>>
export type BotChannel = keyof typeof defaultChannelNames

export const changeableBotFields = {
  full_name: string,
  /** Empty in a browser session, like the tokens of `services`; browsers can request them. */
  api_key: string,
  avatar_url: string,
  owner_id: z.nullable(id),
  ...botDefaults,
  /** Contains one service for an outgoing webhook bot; otherwise empty. */
  services: z.array(botService),
  is_active: boolean,
}

export const managedBot = z.strictObject({ user_id: id, email: string, bot_type: integer, ...changeableBotFields })
export type ManagedBot = z.output<typeof managedBot>

declare module '../../../kernel/event.ts' {
  interface StateFields {
    realm_bots: ManagedBot[]
  }
}

export function managedBotsIn(state: ClientState): ManagedBot[] | undefined {
  return state['realm_bots']
}

export function applyBotEmail(state: ClientState, userId: number, email: string): void {
  const bot = managedBotsIn(state)?.find(({ user_id }) => user_id === userId)
  if (bot !== undefined) bot.email = email
}
