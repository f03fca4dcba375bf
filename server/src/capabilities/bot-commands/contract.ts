import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { composedText, id, nothing, string } from '../../kernel/schemas.ts'

export const MAX_COMMAND_NAME_LENGTH = 32
export const MAX_DESCRIPTION_CHARACTERS = 100
export const MAX_HINT_CHARACTERS = 100

/** Slash commands in messages, such as `/me`, and commands that existing clients send to `POST /zcommand`. */
export const BUILT_IN_COMMANDS: readonly string[] = [
  'dark',
  'day',
  'fixed-width',
  'fluid-width',
  'light',
  'me',
  'night',
  'ping',
  'poll',
  'todo',
]

export const COMMAND_LIMIT: Limit = { most: 20, per: 'account', what: 'commands of a bot' }
export const ORGANIZATION_COMMAND_LIMIT: Limit = {
  most: 500,
  per: 'organization',
  what: 'commands of bots, including deactivated ones',
}

export const commandFields = {
  /** Without the slash. */
  name: string,
  description: string,
  /** Arguments that the command accepts, such as `[ticket] [priority]`; empty if none. */
  argument_hint: string,
}

const declaredCommand = z.strictObject(commandFields)
export type DeclaredCommand = z.output<typeof declaredCommand>

export const botCommand = z.strictObject({ bot_id: id, ...commandFields })
export type BotCommand = z.output<typeof botCommand>

export const getBotCommands = endpoint({
  id: 'getBotCommands',
  method: 'GET',
  path: '/bot_commands',
  summary: 'List the slash commands that people can send to bots.',
  description:
    'A message that starts with `/` and the name of a command, followed by a space or nothing, is sent to its outgoing ' +
    'webhook bot as if it mentioned the bot: with the trigger `mention`, and only if the bot can read the message. ' +
    'Commands of deactivated and paused bots are not listed. Clients with the capability `bot_commands` get the list ' +
    'when they register, and events about changes.',
  since: 420,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ commands: z.array(botCommand) }),
  errors: [],
})

export const getCommandsOfBot = endpoint({
  id: 'getCommandsOfBot',
  method: 'GET',
  path: '/bots/:bot_id/commands',
  summary: "List an outgoing webhook bot's slash commands. Only for the bot and the users who manage it.",
  since: 420,
  input: z.object({ bot_id: id }),
  output: z.object({ commands: z.array(declaredCommand) }),
  errors: ['BAD_REQUEST'],
})

export const updateCommandsOfBot = endpoint({
  id: 'updateCommandsOfBot',
  method: 'PUT',
  path: '/bots/:bot_id/commands',
  summary: "Replace an outgoing webhook bot's slash commands. Only for the bot and the users who manage it.",
  description:
    `The reserved names are ${BUILT_IN_COMMANDS.map((name) => `\`${name}\``).join(', ')}. A name of another active bot ` +
    'is refused; a deactivated bot loses the name.',
  since: 420,
  input: z.object({
    bot_id: id,
    commands: z.array(
      z.object({
        /** 1 to 32 lowercase English letters, digits, dashes, and underscores, without the slash. */
        name: string,
        description: composedText(MAX_DESCRIPTION_CHARACTERS),
        argument_hint: z._default(composedText(MAX_HINT_CHARACTERS), ''),
      }),
    ),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/** Sent only to clients with the capability `bot_commands`. */
export const botCommandsUpdated = event({
  type: 'bot_commands',
  op: 'update',
  summary: "A bot's slash commands changed, or can be used again.",
  payload: z.strictObject({
    bot_id: id,
    /** All of the bot's commands. */
    commands: z.array(declaredCommand),
  }),
  touches: ['bot_commands'],
  apply(state, { bot_id, commands }) {
    replaceCommands(state, bot_id, commands)
  },
})

/** Sent only to clients with the capability `bot_commands`. */
export const botCommandsRemoved = event({
  type: 'bot_commands',
  op: 'remove',
  summary: "A bot's slash commands can no longer be used, because the bot was deactivated or paused.",
  payload: z.strictObject({ bot_id: id }),
  touches: ['bot_commands'],
  apply(state, { bot_id }) {
    replaceCommands(state, bot_id, [])
  },
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    bot_commands: BotCommand[]
  }
}

function replaceCommands(state: ClientState, botId: number, commands: readonly DeclaredCommand[]): void {
  const known = state['bot_commands']
  if (known === undefined) return
  const others = known.filter(({ bot_id }) => bot_id !== botId)
  state['bot_commands'] = sortCommands([...others, ...commands.map((command) => ({ bot_id: botId, ...command }))])
}

/** Names are ASCII and unique, so this order is the same everywhere. */
export function sortCommands<Command extends Pick<BotCommand, 'name'>>(commands: readonly Command[]): Command[] {
  return commands.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
