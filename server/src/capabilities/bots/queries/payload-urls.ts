import type { Db } from '../../../kernel/transaction.ts'
import type { BotService } from '../../users/contract/bots.ts'

const SERVICES = `
  select user_id as "botId", base_url, token, interface from bot_services
  where organization_id = $1 and user_id = any($2)`

interface StoredService extends BotService {
  readonly botId: number
}

export async function storedServices(
  db: Db,
  organizationId: number,
  botIds: readonly number[],
): Promise<StoredService[]> {
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
