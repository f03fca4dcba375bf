import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Db } from '../../kernel/transaction.ts'
import { withoutEmpty, type Status } from './contract.ts'

/** A status as it is stored: empty where there is none. */
export interface StoredStatus {
  readonly status_text: string
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: NonNullable<Status['reaction_type']>
}

/** Every status of the organization, by the user's id. */
export async function statusesIn(db: Kysely<Tables>, organizationId: number): Promise<Record<string, Status>> {
  const rows = await db
    .selectFrom('user_statuses')
    .select(['user_id', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'])
    .where('organization_id', '=', organizationId)
    .execute()
  // Written only by this capability's actions, which check the type of the emoji.
  const statuses = rows as (StoredStatus & { user_id: number })[]
  return Object.fromEntries(
    statuses
      .filter(({ status_text, emoji_name }) => status_text !== '' || emoji_name !== '')
      .map(({ user_id, ...status }) => [user_id, withoutEmpty(status)]),
  )
}

/** What one user is about. */
export async function statusOf(db: Db, organizationId: number, userId: number): Promise<Status> {
  const [row] = await db.rows<StoredStatus>(
    'user_status',
    `select status_text, emoji_name, emoji_code, reaction_type from user_statuses
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return row === undefined ? {} : withoutEmpty(row)
}
