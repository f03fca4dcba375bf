import type { Db } from '../../kernel/transaction.ts'
import type { Due } from '../../platform/jobs/jobs.ts'

/** A mail server that does not answer holds up no more than these. */
const MAX_DUE = 20

const DUE = `
  select organization_id as "organizationId", id from outgoing_mails where attempt_at <= $1
  order by attempt_at, id limit ${MAX_DUE}`

export async function dueMails(db: Db, now: number): Promise<Due[]> {
  return db.rows<Due>('due_mails', DUE, [now])
}
