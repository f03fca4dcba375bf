import type { Kysely } from 'kysely'
import type { Kept } from '../../kernel/kept-texts.ts'
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

export async function keptDrafts(db: Kysely<Tables>, organizationId: number, userId: number): Promise<Kept> {
  const [kept] = await execute<Kept>(
    db,
    `select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters from drafts
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return kept ?? { count: 0, characters: 0 }
}
