import type { Db, SnapshotDb } from '../../../kernel/transaction.ts'
import { BOT_TYPE, type BotService, type BotChannel, type ManagedBot } from '../../users/contract/bots.ts'
import { avatarPath, type UserRow } from '../../users/queries/index.ts'

export function embeddedBotsSnapshot(): Record<string, unknown> {
  return { realm_embedded_bots: [] }
}

const SERVICES = `
  select user_id as "botId", base_url, token, interface, is_paused as "isPaused" from bot_services
  where organization_id = $1 and user_id = any($2)`

export interface StoredService {
  readonly service: BotService
  readonly isPaused: boolean
}

export async function servicesOf(
  db: Db,
  organizationId: number,
  botIds: readonly number[],
): Promise<Map<number, StoredService>> {
  if (botIds.length === 0) return new Map()
  const rows = await db.rows<BotService & { botId: number; isPaused: boolean }>('bot_services', SERVICES, [
    organizationId,
    botIds,
  ])
  return new Map(rows.map(({ botId, isPaused, ...service }) => [botId, { service, isPaused }]))
}

export type BotChannels = Readonly<Record<BotChannel, number | null>>

/** Stores channels by ID; each reader gets the names of the channels that the reader can see. */
export interface LoggedBot<Shown = Partial<ManagedBot> & { user_id: number }> {
  readonly bot: Shown
  readonly channels: Partial<BotChannels>
}

const NO_CHANNEL_NAMES: Record<BotChannel, null> = {
  default_sending_stream: null,
  default_events_register_stream: null,
}

export function channelsOfBot({ botHabits }: UserRow): BotChannels {
  const { default_sending_stream, default_events_register_stream } = botHabits
  return { default_sending_stream, default_events_register_stream }
}

export function presentBot(row: UserRow, apiKey: string, services: readonly BotService[]): LoggedBot<ManagedBot> {
  if (row.botType === null) throw new Error(`user ${row.id} is not a bot`)
  const account = { user_id: row.id, email: row.email, bot_type: row.botType, api_key: apiKey, ...botFields(row) }
  return { bot: { ...account, services: [...services], ...NO_CHANNEL_NAMES }, channels: channelsOfBot(row) }
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
    const stored = services.get(row.id)
    return presentBot(row, keyOf.get(row.id) ?? '', stored === undefined ? [] : [stored.service])
  })
}
