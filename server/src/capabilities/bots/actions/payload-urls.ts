import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../kernel/transaction.ts'
import { emitCommandsAvailability } from '../../bot-commands/actions.ts'
import { BOT_TYPE, type BotService } from '../../users/contract/bots.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { deleteDeliveriesOf } from '../../outgoing-webhooks/actions.ts'
import { servicesOf, type StoredService } from '../queries.ts'
import { emitBotServices } from './emit.ts'

export type ChosenService = Omit<BotService, 'token'>

const TOKEN_BYTES = 24

function newWebhookToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Emits no event, because the event about the new bot contains the service. */
export async function addService(tx: Tx, bot: UserRow, chosen: ChosenService): Promise<BotService> {
  const added: BotService = { ...chosen, token: newWebhookToken() }
  await tx.db
    .insertInto('bot_services')
    .values({ organization_id: tx.organizationId, user_id: bot.id, ...added })
    .execute()
  return added
}

/** Setting the URL, even to the same one, resumes a paused service. */
export async function changeService(tx: Tx, bot: UserRow, changes: Partial<ChosenService>): Promise<void> {
  const stored = await serviceOf(tx, bot)
  if (stored === undefined) throw new Error(`outgoing webhook bot ${bot.id} has no service`)
  const { service: before, isPaused } = stored
  const after: BotService = { ...before, ...changes }
  const resumes = isPaused && changes.base_url !== undefined
  if (!resumes && after.base_url === before.base_url && after.interface === before.interface) return
  await storeService(tx, bot, { ...after, is_paused: isPaused && !resumes })
  emitBotServices(tx, bot, [after])
  if (resumes) await emitCommandsAvailability(tx, bot)
}

/** Prevents former owners of the bot from impersonating this server. The caller emits the event. */
export async function replaceWebhookToken(
  tx: Tx,
  bot: UserRow,
  more: { readonly is_paused?: true } = {},
): Promise<BotService | undefined> {
  const stored = await serviceOf(tx, bot)
  if (stored === undefined) return undefined
  const token = newWebhookToken()
  await storeService(tx, bot, { token, ...more })
  return { ...stored.service, token }
}

/** Pauses services whose URLs an intruder may have set, until a manager sets the URLs again. Returns how many. */
export async function pauseServices(tx: Tx, bots: readonly UserRow[]): Promise<number> {
  let count = 0
  for (const bot of bots) {
    const service = await replaceWebhookToken(tx, bot, { is_paused: true })
    if (service === undefined) continue
    await deleteDeliveriesOf(tx, bot.id)
    emitBotServices(tx, bot, [service])
    await emitCommandsAvailability(tx, bot)
    count += 1
  }
  return count
}

async function serviceOf(tx: Tx, bot: UserRow): Promise<StoredService | undefined> {
  if (bot.botType !== BOT_TYPE.outgoingWebhook) return undefined
  return (await servicesOf(tx.db, tx.organizationId, [bot.id])).get(bot.id)
}

async function storeService(
  tx: Tx,
  bot: UserRow,
  changes: Partial<BotService & { is_paused: boolean }>,
): Promise<void> {
  await tx.db
    .updateTable('bot_services')
    .set(changes)
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', bot.id)
    .execute()
}
