import { call, type Answer } from '@parley/client'
import { botCommands, bots, users } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { isAdministrator, userName } from '../users/state.ts'
import type { Bot, BotType } from './state.ts'

export type WebhookSettings = Answer<typeof bots.getBotService>
export type Command = botCommands.DeclaredCommand

/* The functions below throw errors, so that the calling form can show them. */

interface NewBot {
  readonly full_name: string
  readonly short_name: string
  readonly bot_type: BotType
  readonly payload_url?: string
  readonly interface_type?: number
}

export async function createBot(bot: NewBot): Promise<number> {
  const { user_id: id } = await withConfirmation(async () => call(SESSION, bots.createBot, bot))
  return id
}

export async function renameBot({ user_id: id }: Bot, name: string): Promise<void> {
  await call(SESSION, bots.updateBot, { bot_id: id, full_name: name })
}

export async function uploadBotPicture({ user_id: id }: Bot, file: File): Promise<void> {
  await call(SESSION, bots.updateBot, { bot_id: id }, { file })
}

export async function transferBot({ user_id: id, full_name: name }: Bot, ownerId: number): Promise<void> {
  await withConfirmation(async () => call(SESSION, bots.updateBot, { bot_id: id, bot_owner_id: ownerId }))
  toast(ta().bots.wasGiven(name, userName(ownerId)))
}

export async function fetchApiKey({ user_id: id }: Bot): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, bots.getBotApiKey, { bot_id: id }))).api_key
}

/** Creates a new API key; the old key stops working. */
export async function replaceApiKey({ user_id: id }: Bot): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, bots.regenerateBotApiKey, { bot_id: id }))).api_key
}

/** Requests the webhook settings separately, because browsers store the state and must not store the token. */
export async function fetchWebhookSettings({ user_id: id }: Bot): Promise<WebhookSettings> {
  return withConfirmation(async () => call(SESSION, bots.getBotService, { bot_id: id }))
}

/** Changing the URL resumes a paused bot. Sends the format too, because the server would reset a missing format. */
export async function changeWebhookUrl({ user_id: id }: Bot, url: string, form: number): Promise<void> {
  const changes = { service_payload_url: url, service_interface: form }
  await withConfirmation(async () => call(SESSION, bots.updateBot, { bot_id: id, ...changes }))
}

export async function changeWebhookFormat({ user_id: id }: Bot, form: number): Promise<void> {
  await call(SESSION, bots.updateBot, { bot_id: id, service_interface: form })
}

export async function fetchWebhookSecret(bot: Bot): Promise<string> {
  return (await fetchWebhookSettings(bot)).service.token
}

export async function replaceServiceToken({ user_id: id }: Bot): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, bots.regenerateBotToken, { bot_id: id }))).token
}

export async function fetchCommands({ user_id: id }: Bot): Promise<readonly Command[]> {
  return (await call(SESSION, botCommands.getCommandsOfBot, { bot_id: id })).commands
}

/** Replaces one command in the bot's current list, because another person may have changed other commands. */
async function replaceCommand(bot: Bot, before: Command | undefined, after: Command | undefined): Promise<void> {
  const others = (await fetchCommands(bot)).filter(({ name }) => name !== before?.name)
  const commands = after === undefined ? others : [...others, after]
  await call(SESSION, botCommands.updateCommandsOfBot, { bot_id: bot.user_id, commands })
}

function withoutSlash({ name, ...rest }: Command): Command {
  return { name: name.trim().replace(/^\//, ''), ...rest }
}

/* `refresh` also runs after Undo. */

export async function addCommand(bot: Bot, typed: Command, refresh: () => void): Promise<void> {
  const command = withoutSlash(typed)
  await replaceCommand(bot, undefined, command)
  offerCommandUndo(ta().bots.commandAdded(command.name), refresh, async () => replaceCommand(bot, command, undefined))
}

export async function changeCommand(bot: Bot, before: Command, typed: Command, refresh: () => void): Promise<void> {
  const command = withoutSlash(typed)
  await replaceCommand(bot, before, command)
  offerCommandUndo(ta().bots.commandChanged(command.name), refresh, async () => replaceCommand(bot, command, before))
}

export async function removeCommand(bot: Bot, command: Command, refresh: () => void): Promise<void> {
  await replaceCommand(bot, command, undefined)
  offerCommandUndo(ta().bots.commandRemoved(command.name), refresh, async () => replaceCommand(bot, undefined, command))
}

function offerCommandUndo(text: string, refresh: () => void, inverse: () => Promise<void>): void {
  refresh()
  offerUndo(text, async () => {
    await inverse()
    refresh()
  })
}

export async function deactivateBot(bot: Bot): Promise<void> {
  const { user_id: id, full_name: name } = bot
  await call(SESSION, bots.deactivateBot, { bot_id: id })
  const text = ta().bots.wasDeactivated(name)
  // Only administrators get an Undo button, because only they can reactivate accounts.
  if (isAdministrator()) offerUndo(text, async () => reactivateWithConfirmation(bot))
  else toast(text)
}

export async function reactivateBot(bot: Bot): Promise<void> {
  await reactivateWithConfirmation(bot)
  const { user_id: id, full_name: name } = bot
  offerUndo(ta().bots.wasReactivated(name), async () => call(SESSION, bots.deactivateBot, { bot_id: id }))
}

async function reactivateWithConfirmation({ user_id: id }: Bot): Promise<void> {
  await withConfirmation(async () => call(SESSION, users.reactivateUser, { user_id: id }))
}
