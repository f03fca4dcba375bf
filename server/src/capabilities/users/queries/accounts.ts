import type { Db } from '../../../kernel/transaction.ts'
import type { Due } from '../../../platform/jobs/jobs.ts'

const MAX_DUE = 500

const DUE = `
  select n.organization_id as "organizationId", n.user_id as id from newcomers n
  join organization_settings o on o.organization_id = n.organization_id and not o.deactivated
  order by n.organization_id, n.user_id limit ${MAX_DUE}`

/** All people whose accounts were made and who are still to be greeted, of all organizations. */
export async function dueNewcomers(db: Db): Promise<Due[]> {
  return db.rows<Due>('due_newcomers', DUE, [])
}
