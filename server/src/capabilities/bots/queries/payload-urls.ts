import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/tables.ts'
import type { BotService } from '../../users/contract/bots.ts'

/** The services of outgoing webhook bots, by the ids of the bots; other bots have none. */
export async function servicesOf(
  db: Kysely<Tables>,
  organizationId: number,
  botIds: readonly number[],
): Promise<Map<number, BotService>> {
  if (botIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bot_services')
    .select(['user_id', 'base_url', 'token', 'interface'])
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', botIds)
    .execute()
  return new Map(rows.map(({ user_id, ...service }) => [user_id, service]))
}
