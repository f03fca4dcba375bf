import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'

/** The flags of a message that only few users have set, beside `read`, by user. */
export async function flagRowsOf(
  db: Kysely<Tables>,
  organizationId: number,
  messageId: number,
): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('message_flags')
    .select(['user_id', 'starred', 'collapsed'])
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .execute()
  return new Map(
    rows.map((row) => [row.user_id, [...(row.starred ? ['starred'] : []), ...(row.collapsed ? ['collapsed'] : [])]]),
  )
}
