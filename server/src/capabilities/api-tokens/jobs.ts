import { sql } from 'kysely'
import type { OrganizationLog } from '../../platform/log/organization-log.ts'
import { tokenUsesOf } from './queries.ts'

export async function writeTokenUses(log: OrganizationLog): Promise<void> {
  const { unwritten } = tokenUsesOf(log.organization)
  if (unwritten.size === 0) return
  const written = new Map(unwritten)
  await log.write(async (tx) => {
    const [ids, times] = [[...written.keys()], [...written.values()]]
    await sql`
      update api_tokens t set used_at = greatest(t.used_at, used.at)
      from unnest(${ids}::bigint[], ${times}::bigint[]) used(id, at)
      where t.organization_id = ${tx.organizationId} and t.id = used.id`.execute(tx.db)
  })
  for (const id of written.keys()) unwritten.delete(id)
}
