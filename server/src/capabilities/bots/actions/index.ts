import { ROLE } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Reader } from '../../../kernel/transaction.ts'
import type { OutsideClient } from '../../../platform/outside/outside.ts'
import { readerOf, type PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { FileChange, StoredFiles } from '../../../platform/files/pending.ts'
import { readApiKeys } from '../../authentication/queries.ts'
import { silentMentionOf, prepareNotice, postMessages, fenceText } from '../../messages/actions/post.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import {
  changeAccount,
  deactivateAccount,
  transferBotOwnership,
  grantsAdministration,
  createAccount,
} from '../../users/actions/accounts.ts'
import { renewApiKey } from '../../authentication/actions/index.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { writeAvatar } from '../../users/actions/avatars.ts'
import { avatarKeys } from '../../users/queries/avatars.ts'
import { presentBotDefaults, servicesOf } from '../queries.ts'
import { knownChannelByName } from '../../channels/rules/index.ts'
import { changeAvatar, changeBot } from '../../users/actions/index.ts'
import { BOT_TYPE, PAYLOAD_INTERFACE, type BotDefaults } from '../../users/contract/index.ts'
import { avatarPath, NO_BOT_HABITS, userById, type BotHabits, type UserRow } from '../../users/queries/index.ts'
import { requireMayManage } from '../../users/rules/index.ts'
import { managedBotById, mayDeactivateBot, botsManagedBy } from '../../users/rules/bots.ts'
import type * as contract from '../contract.ts'
import { validServiceSettings, requireValidOwner, noPayloadUrlError, requireMayCreateBot } from '../rules.ts'
import { emitBotServices } from './emit.ts'
import { changeService, replaceWebhookToken, type ChosenService } from './payload-urls.ts'

interface PreparedBot extends StoredFiles {
  readonly email: string
  readonly service: ChosenService | undefined
  readonly avatarFile: string | null
}

export async function prepareBot(call: PreparationCall, input: Input<typeof contract.createBot>): Promise<PreparedBot> {
  const { log, actor, server, file } = call
  requireMayCreateBot(log.organization, actor, input.bot_type)
  await requireRecentConfirmation(readerOf(call))
  const service = serviceForNewBot(server.outside, input)
  const name = input.short_name.trim()
  if (name === '') throw new ApiError('BAD_REQUEST', 'Bad name or username')
  const email = `${name}-bot@${new URL(server.urlOf(log.organization)).hostname}`
  const avatarFile = file === undefined ? null : await writeAvatar(call, file)
  return { email, service, avatarFile, keys: avatarKeys(log.organization.id, avatarFile) }
}

export async function createBot(
  tx: ActorTx,
  input: Input<typeof contract.createBot>,
  { email, service, avatarFile }: PreparedBot,
): Promise<Output<typeof contract.createBot>> {
  const { full_name: fullName, bot_type: botType } = input
  requireMayCreateBot(tx.organization, tx.actor, botType)
  await requireNoNewcomerLinks(tx, tx.actor, [fullName])
  const botHabits = requestedDefaultChannels(tx, NO_BOT_HABITS, input)
  const bot = { botType, botOwnerId: tx.actor.userId, botHabits, service }
  const opened = await createAccount(tx, { email, fullName, role: ROLE.member, ...bot, avatarFile }, null)
  const { user, apiKey, services } = opened
  return {
    user_id: user.id,
    api_key: apiKey,
    avatar_url: avatarPath(user),
    services,
    ...presentBotDefaults(tx.organization, tx.actor, user),
  }
}

/** Returns undefined unless the bot is an outgoing webhook. Requests for other bots must not name a service. */
function serviceForNewBot(outside: OutsideClient, input: Input<typeof contract.createBot>): ChosenService | undefined {
  const { bot_type: botType, payload_url: url, interface_type: form } = input
  const isOutgoing = botType === BOT_TYPE.outgoingWebhook
  const chosen = validServiceSettings(outside, botType, {
    base_url: isOutgoing || url !== '' ? url : undefined,
    interface: form,
  })
  const { base_url, interface: kind = PAYLOAD_INTERFACE.generic } = chosen
  return base_url === undefined ? undefined : { base_url, interface: kind }
}

interface PreparedAvatar extends StoredFiles {
  readonly avatarFile: string | null
}

export async function storeBotAvatar(
  call: PreparationCall,
  { bot_id: id }: Input<typeof contract.updateBot>,
): Promise<PreparedAvatar> {
  const { organization } = call.log
  managedBotById(organization, call.actor, id)
  const avatarFile = call.file === undefined ? null : await writeAvatar(call, call.file)
  return { avatarFile, keys: avatarKeys(organization.id, avatarFile) }
}

export async function updateBot(
  tx: ActorTx,
  input: Input<typeof contract.updateBot>,
  { avatarFile }: PreparedAvatar,
  server: ServerFacts,
): Promise<FileChange<Output<typeof contract.updateBot>>> {
  const { before, bot } = await applyBotUpdate(tx, server, input, avatarFile)
  const owner = bot.botOwnerId === null ? undefined : userById(tx.organization, bot.botOwnerId)
  const answer = {
    full_name: bot.fullName,
    avatar_url: avatarPath(bot),
    ...presentBotDefaults(tx.organization, tx.actor, bot),
    ...(owner === undefined ? {} : { bot_owner: owner.email }),
  }
  const isReplaced = bot.avatarFile !== before.avatarFile
  return { answer, unused: isReplaced ? avatarKeys(tx.organizationId, before.avatarFile) : [] }
}

async function applyBotUpdate(
  tx: ActorTx,
  server: ServerFacts,
  {
    bot_id,
    full_name: fullName,
    role,
    bot_owner_id,
    service_payload_url: url,
    service_interface: form = url === undefined ? undefined : PAYLOAD_INTERFACE.generic,
    ...defaults
  }: Input<typeof contract.updateBot>,
  avatarFile: string | null,
): Promise<{ before: UserRow; bot: UserRow }> {
  const before = managedBotById(tx.organization, tx.actor, bot_id)
  if (role !== undefined && role !== before.role) requireMayManage(tx.actor, before, role)
  if (fullName !== undefined && fullName.trim() !== before.fullName) {
    await requireNoNewcomerLinks(tx, tx.actor, [fullName])
  }
  const wantsOwner = bot_owner_id !== undefined && bot_owner_id !== before.botOwnerId
  const owner = wantsOwner ? requireValidOwner(tx.organization, tx.actor, bot_owner_id) : undefined
  // A stolen session must not give others the bot's key or messages, or raise the bot's role.
  if (wantsOwner || url !== undefined || grantsAdministration(before, role)) await requireRecentConfirmation(tx)
  const botHabits = requestedDefaultChannels(tx, before.botHabits, defaults)
  const service = validServiceSettings(server.outside, before.botType, { base_url: url, interface: form })
  let bot = owner === undefined ? before : await transferBotOwnership(tx, before, owner.id)
  bot = await changeAccount(tx, bot, { fullName, role })
  if (avatarFile !== null) bot = await changeAvatar(tx, bot, avatarFile)
  bot = await changeBot(tx, bot, { botHabits })
  if (Object.keys(service).length > 0) await changeService(tx, bot, service)
  if (owner !== undefined) await notifyNewOwner(tx, server, bot)
  return { before, bot }
}

/** The actor must be able to see the named channels. */
function requestedDefaultChannels(
  tx: ActorTx,
  before: BotHabits,
  input: Pick<Input<typeof contract.createBot>, keyof BotDefaults>,
): BotHabits {
  const channel = (name: string | undefined, otherwise: number | null): number | null => {
    if (name === undefined) return otherwise
    return name === '' ? null : knownChannelByName(tx.organization, tx.actor, name).id
  }
  return {
    default_sending_stream: channel(input.default_sending_stream, before.default_sending_stream),
    default_events_register_stream: channel(
      input.default_events_register_stream,
      before.default_events_register_stream,
    ),
    default_all_public_streams: input.default_all_public_streams ?? before.default_all_public_streams,
  }
}

export async function deactivateBot(
  tx: ActorTx,
  input: Input<typeof contract.deactivateBot>,
): Promise<Record<string, never>> {
  await deactivateAccount(tx, managedBotById(tx.organization, tx.actor, input.bot_id, mayDeactivateBot))
  return {}
}

export async function regenerateBotApiKey(
  tx: ActorTx,
  input: Input<typeof contract.regenerateBotApiKey>,
): Promise<Output<typeof contract.regenerateBotApiKey>> {
  const bot = managedBotById(tx.organization, tx.actor, input.bot_id)
  await requireRecentConfirmation(tx)
  return renewApiKey(tx, bot)
}

export async function regenerateBotToken(
  tx: ActorTx,
  input: Input<typeof contract.regenerateBotToken>,
): Promise<Output<typeof contract.regenerateBotToken>> {
  const bot = managedBotById(tx.organization, tx.actor, input.bot_id)
  await requireRecentConfirmation(tx)
  const service = await replaceWebhookToken(tx, bot)
  if (service === undefined) throw noPayloadUrlError()
  emitBotServices(tx, bot, [service])
  return { token: service.token }
}

const ACTIVE_WEBHOOK_TEXT = 'Messages to the bot are sent to this URL. Change the URL if it isn’t yours:'
const PAUSED_WEBHOOK_TEXT = 'The bot is paused. To resume it, set its URL again. The previous URL is:'

/** Tells the new owner of an outgoing webhook bot which URL receives the messages sent to the bot. */
async function notifyNewOwner(tx: ActorTx, server: ServerFacts, bot: UserRow): Promise<void> {
  const stored = (await servicesOf(tx.db, tx.organizationId, [bot.id])).get(bot.id)
  if (stored === undefined || bot.botOwnerId === null || bot.botOwnerId === tx.actor.userId) return
  const text =
    `${silentMentionOf(tx.organization, tx.actor.userId)} gave you the bot ${silentMentionOf(tx.organization, bot.id)}. ` +
    'It has a new API key and a new webhook secret, so its previous owner can no longer use it. ' +
    `${stored.isPaused ? PAUSED_WEBHOOK_TEXT : ACTIVE_WEBHOOK_TEXT}\n\n${fenceText(stored.service.base_url)}`
  await postMessages(tx, [await prepareNotice(tx, server, { userId: bot.botOwnerId }, text)])
}

export async function getBots(reader: Reader): Promise<Output<typeof contract.getBots>> {
  await requireRecentConfirmation(reader)
  const { organization, actor, db, organizationId } = reader
  const own = botsManagedBy(organization, actor).filter((bot) => bot.botOwnerId === actor.userId && bot.isActive)
  const keys = await readApiKeys(
    db,
    organizationId,
    own.map(({ id }) => id),
  )
  return {
    bots: own.map((bot) => ({
      user_id: bot.id,
      username: bot.email,
      full_name: bot.fullName,
      api_key: keys.get(bot.id) ?? '',
      avatar_url: avatarPath(bot),
      ...presentBotDefaults(organization, actor, bot),
    })),
  }
}

export async function getBotApiKey(
  reader: Reader,
  input: Input<typeof contract.getBotApiKey>,
): Promise<Output<typeof contract.getBotApiKey>> {
  const { organization, actor, db, organizationId } = reader
  const { id } = managedBotById(organization, actor, input.bot_id)
  await requireRecentConfirmation(reader)
  const keys = await readApiKeys(db, organizationId, [id])
  return { api_key: keys.get(id) ?? '' }
}

export async function getBotService(
  reader: Reader,
  input: Input<typeof contract.getBotService>,
): Promise<Output<typeof contract.getBotService>> {
  const { organization, actor, db, organizationId } = reader
  const { id } = managedBotById(organization, actor, input.bot_id)
  await requireRecentConfirmation(reader)
  const stored = (await servicesOf(db, organizationId, [id])).get(id)
  if (stored === undefined) throw noPayloadUrlError()
  return { service: stored.service, is_paused: stored.isPaused }
}
