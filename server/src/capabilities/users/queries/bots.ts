import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/tables.ts'
import type { ManagedBot } from '../contract/bots.ts'
import { avatarPath, type UserRow } from '../queries.ts'

/** A bot with all that those see who manage it. */
export function presentBot(row: UserRow, apiKey: string): ManagedBot {
  if (row.botType === null) throw new Error(`user ${row.id} is no bot`)
  return { user_id: row.id, email: row.email, bot_type: row.botType, api_key: apiKey, ...botFields(row) }
}

/** What may change of a bot, without its key. */
export function botFields(row: UserRow): Omit<ManagedBot, 'user_id' | 'email' | 'bot_type' | 'api_key'> {
  return {
    full_name: row.fullName,
    avatar_url: avatarPath(row),
    owner_id: row.botOwnerId,
    ...row.botDefaults,
    services: [],
    is_active: row.isActive,
  }
}

/** The same of several, with their keys. */
export async function presentBots(
  db: Kysely<Tables>,
  organizationId: number,
  rows: readonly UserRow[],
): Promise<ManagedBot[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const keys = await db
    .selectFrom('credentials')
    .select(['user_id', 'api_key'])
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', ids)
    .execute()
  const keyOf = new Map(keys.map(({ user_id, api_key }) => [user_id, api_key]))
  return rows.map((row) => presentBot(row, keyOf.get(row.id) ?? ''))
}
