import type { Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type * as contract from './contract.ts'
import type { Preferences } from './contract.ts'

const OWN_PREFERENCES = `
  select name, value from preferences where organization_id = $1 and user_id = $2 order by name`

export async function preferencesOf(db: Db, organizationId: number, userId: number): Promise<Preferences> {
  const rows = await db.rows<{ name: string; value: string }>('preferences', OWN_PREFERENCES, [organizationId, userId])
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export async function getPreferences({
  db,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getPreferences>> {
  return { preferences: await preferencesOf(db, organizationId, actor.userId) }
}

export async function preferencesSnapshot(
  db: Db,
  { organization, userId, form }: Viewer,
): Promise<Record<string, unknown>> {
  return form.capabilities.preferences ? { preferences: await preferencesOf(db, organization.id, userId) } : {}
}
