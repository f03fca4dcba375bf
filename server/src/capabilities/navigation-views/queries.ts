import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { execute } from '../../platform/db/database.ts'
import type { NavigationView } from './contract.ts'

/** A user's views, in the order in which they were added. */
export const OWN_VIEWS = `
  select fragment, is_pinned, name from navigation_views
  where organization_id = $1 and user_id = $2 order by id`

export interface ViewRow {
  readonly fragment: string
  readonly is_pinned: boolean
  readonly name: string | null
}

export async function viewsOf(db: Kysely<Tables>, organizationId: number, userId: number): Promise<NavigationView[]> {
  const rows = await execute<ViewRow>(db, OWN_VIEWS, [organizationId, userId])
  return rows.map(presentView)
}

export function presentView({ fragment, is_pinned, name }: ViewRow): NavigationView {
  return { fragment, is_pinned, ...(name === null ? {} : { name }) }
}
