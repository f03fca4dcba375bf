import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { execute } from '../../platform/db/database.ts'
import type { Draft } from './contract.ts'

/** A user's drafts, in the order in which they were begun. */
export const OWN_DRAFTS = `
  select id, type, recipient_ids as "to", topic, content, last_edited as timestamp from drafts
  where organization_id = $1 and user_id = $2 order by id`

export async function draftsOf(db: Kysely<Tables>, organizationId: number, userId: number): Promise<Draft[]> {
  return execute<Draft>(db, OWN_DRAFTS, [organizationId, userId])
}

export async function countDrafts(db: Kysely<Tables>, organizationId: number, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('drafts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}
