import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { execute } from '../../platform/db/database.ts'
import type { ChannelFolder } from './contract.ts'

/** An organization's folders, archived ones included, in their order. */
export const ALL_FOLDERS = `
  select id, name, description, rendered_description, position as "order", date_created, creator_id, is_archived
  from channel_folders where organization_id = $1 order by position`

export async function foldersOf(db: Kysely<Tables>, organizationId: number): Promise<ChannelFolder[]> {
  return execute<ChannelFolder>(db, ALL_FOLDERS, [organizationId])
}
