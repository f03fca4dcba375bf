import type { Db } from '../../../kernel/transaction.ts'
import type { DueJob } from '../../../platform/jobs/pieces.ts'

const MAX_DUE_NEWCOMERS = 500

const DUE_NEWCOMERS = `
  select n.organization_id as "organizationId", n.user_id as id from newcomers n
  join organization_settings o on o.organization_id = n.organization_id and not o.deactivated
  order by n.organization_id, n.user_id limit ${MAX_DUE_NEWCOMERS}`

export async function dueNewcomers(db: Db): Promise<DueJob[]> {
  return db.rows<DueJob>('due_newcomers', DUE_NEWCOMERS, [])
}

export interface Newcomer {
  readonly welcomeText: string | null
  readonly referrerId: number | null
}

const NEWCOMER_BY_ID = `
  select welcome_text as "welcomeText", referrer_id as "referrerId" from newcomers
  where organization_id = $1 and user_id = $2`

export async function newcomerById(db: Db, organizationId: number, userId: number): Promise<Newcomer | undefined> {
  const [row] = await db.rows<Newcomer>('newcomer', NEWCOMER_BY_ID, [organizationId, userId])
  return row
}
