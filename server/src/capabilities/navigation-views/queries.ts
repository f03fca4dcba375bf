import type { Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { NavigationView } from './contract.ts'
import type * as contract from './contract.ts'

const OWN_NAVIGATION_VIEWS = `
  select fragment, is_pinned, name from navigation_views
  where organization_id = $1 and user_id = $2 order by id`

interface NavigationViewRow {
  readonly fragment: string
  readonly is_pinned: boolean
  readonly name: string | null
}

export async function viewsOf(db: Db, organizationId: number, userId: number): Promise<NavigationView[]> {
  const rows = await db.rows<NavigationViewRow>('navigation_views', OWN_NAVIGATION_VIEWS, [organizationId, userId])
  return rows.map(presentView)
}

export function presentView({ fragment, is_pinned, name }: NavigationViewRow): NavigationView {
  return { fragment, is_pinned, ...(name === null ? {} : { name }) }
}

export async function getNavigationViews({
  db,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getNavigationViews>> {
  return { navigation_views: await viewsOf(db, organizationId, actor.userId) }
}

export async function navigationViewsSnapshot(
  db: Db,
  { organization, userId }: Viewer,
): Promise<Record<string, unknown>> {
  return { navigation_views: await viewsOf(db, organization.id, userId) }
}
