import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader, Db, SnapshotDb } from '../../../kernel/transaction.ts'
import { BOT_TYPE, type BotService, type BotChannel, type ManagedBot } from '../../users/contract/bots.ts'
import { avatarPath, type UserRow } from '../../users/queries/index.ts'
import { managedBotById } from '../../users/rules/bots.ts'
import type * as contract from '../contract.ts'
import { noService } from '../rules.ts'

export async function getBotService(
  { organization, actor, db, organizationId }: Reader,
  input: Input<typeof contract.getBotService>,
): Promise<Output<typeof contract.getBotService>> {
  const { id } = managedBotById(organization, actor, input.bot_id)
  const [service] = await storedServices(db, organizationId, [id])
  if (service === undefined) throw noService()
  const { base_url, token, interface: form } = service
  return { service: { base_url, token, interface: form } }
}

export function embeddedBotsSnapshot(): Record<string, unknown> {
  return { realm_embedded_bots: [] }
}

const SERVICES = `
  select user_id as "botId", base_url, token, interface from bot_services
  where organization_id = $1 and user_id = any($2)`

interface StoredService extends BotService {
  readonly botId: number
}

async function storedServices(db: Db, organizationId: number, botIds: readonly number[]): Promise<StoredService[]> {
  return db.rows('bot_services', SERVICES, [organizationId, botIds])
}

export async function servicesOf(
  db: Db,
  organizationId: number,
  botIds: readonly number[],
): Promise<Map<number, BotService>> {
  if (botIds.length === 0) return new Map()
  const rows = await storedServices(db, organizationId, botIds)
  return new Map(rows.map(({ botId, ...service }) => [botId, service]))
}

export type BotChannels = Readonly<Record<BotChannel, number | null>>

/** Each reader sees the names of the channels visible to that reader. */
export interface LoggedBot<Shown = Partial<ManagedBot> & { user_id: number }> {
  readonly bot: Shown
  readonly channels: Partial<BotChannels>
}

const NAMELESS: Record<BotChannel, null> = { default_sending_stream: null, default_events_register_stream: null }

export function channelsOfBot({ botHabits }: UserRow): BotChannels {
  const { default_sending_stream, default_events_register_stream } = botHabits
  return { default_sending_stream, default_events_register_stream }
}

export function presentBot(row: UserRow, apiKey: string, services: readonly BotService[]): LoggedBot<ManagedBot> {
  if (row.botType === null) throw new Error(`user ${row.id} is not a bot`)
  const account = { user_id: row.id, email: row.email, bot_type: row.botType, api_key: apiKey, ...botFields(row) }
  return { bot: { ...account, services: [...services], ...NAMELESS }, channels: channelsOfBot(row) }
}

export function botFields(
  row: UserRow,
): Omit<ManagedBot, 'user_id' | 'email' | 'bot_type' | 'api_key' | 'services' | BotChannel> {
  return {
    full_name: row.fullName,
    avatar_url: avatarPath(row),
    owner_id: row.botOwnerId,
    default_all_public_streams: row.botHabits.default_all_public_streams,
    is_active: row.isActive,
  }
}

export async function presentBots(
  db: SnapshotDb,
  organizationId: number,
  rows: readonly UserRow[],
): Promise<LoggedBot<ManagedBot>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const keys = await db
    .selectFrom('credentials')
    .select(['user_id', 'api_key'])
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', ids)
    .execute()
  const keyOf = new Map(keys.map(({ user_id, api_key }) => [user_id, api_key]))
  const outgoing = rows.filter(({ botType }) => botType === BOT_TYPE.outgoingWebhook).map(({ id }) => id)
  const services = await servicesOf(db, organizationId, outgoing)
  return rows.map((row) => {
    const service = services.get(row.id)
    return presentBot(row, keyOf.get(row.id) ?? '', service === undefined ? [] : [service])
  })
}
