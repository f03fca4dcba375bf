import { call, type Answer } from '@parley/client'
import { bots, users } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { isAdministrator, userName } from '../users/state.ts'
import type { Bot, Kind } from './state.ts'

export type Service = Answer<typeof bots.getBotService>

/* The functions below throw errors, so that the calling form can show them. */

interface NewBot {
  readonly full_name: string
  readonly short_name: string
  readonly bot_type: Kind
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

export async function uploadPicture({ user_id: id }: Bot, file: File): Promise<void> {
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
export async function replaceKey({ user_id: id }: Bot): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, bots.regenerateBotApiKey, { bot_id: id }))).api_key
}

/** Requests the webhook settings separately, because browsers store the state and must not store the token. */
export async function fetchWebhookSettings({ user_id: id }: Bot): Promise<Service> {
  return withConfirmation(async () => call(SESSION, bots.getBotService, { bot_id: id }))
}

/** Changing the URL resumes a paused bot. Sends the format too, because the server would reset a missing format. */
export async function changeUrl({ user_id: id }: Bot, url: string, form: number): Promise<void> {
  const changes = { service_payload_url: url, service_interface: form }
  await withConfirmation(async () => call(SESSION, bots.updateBot, { bot_id: id, ...changes }))
}

export async function changeFormat({ user_id: id }: Bot, form: number): Promise<void> {
  await call(SESSION, bots.updateBot, { bot_id: id, service_interface: form })
}

export async function fetchWebhookSecret(bot: Bot): Promise<string> {
  return (await fetchWebhookSettings(bot)).service.token
}

export async function replaceServiceToken({ user_id: id }: Bot): Promise<string> {
  return (await withConfirmation(async () => call(SESSION, bots.regenerateBotToken, { bot_id: id }))).token
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
