import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../kernel/transaction.ts'
import { BOT_TYPE, type BotService } from '../../users/contract/bots.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { servicesOf } from '../queries/index.ts'
import { emitBotServices } from './emit.ts'

export type ChosenService = Omit<BotService, 'token'>

const TOKEN_BYTES = 24

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Emits no event, because the event of the new bot contains the service. */
export async function addService(tx: Tx, bot: UserRow, chosen: ChosenService): Promise<BotService> {
  const added: BotService = { ...chosen, token: newToken() }
  await tx.db
    .insertInto('bot_services')
    .values({ organization_id: tx.organizationId, user_id: bot.id, ...added })
    .execute()
  return added
}

export async function changeService(tx: Tx, bot: UserRow, changes: Partial<ChosenService>): Promise<void> {
  const before = await serviceOf(tx, bot)
  if (before === undefined) throw new Error(`outgoing webhook bot ${bot.id} has no service`)
  const after: BotService = { ...before, ...changes }
  if (after.base_url === before.base_url && after.interface === before.interface) return
  await storeService(tx, bot, after)
  emitBotServices(tx, bot, [after])
}

/** Former owners of the bot must not impersonate this server. The caller emits the event. */
export async function replaceToken(tx: Tx, bot: UserRow): Promise<BotService | undefined> {
  const before = await serviceOf(tx, bot)
  if (before === undefined) return undefined
  const after: BotService = { ...before, token: newToken() }
  await storeService(tx, bot, after)
  return after
}

async function serviceOf(tx: Tx, bot: UserRow): Promise<BotService | undefined> {
  if (bot.botType !== BOT_TYPE.outgoingWebhook) return undefined
  return (await servicesOf(tx.db, tx.organizationId, [bot.id])).get(bot.id)
}

async function storeService(tx: Tx, bot: UserRow, service: BotService): Promise<void> {
  await tx.db
    .updateTable('bot_services')
    .set(service)
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', bot.id)
    .execute()
}
