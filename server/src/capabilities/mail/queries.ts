import type { Db } from '../../kernel/transaction.ts'
import type { Due } from '../../platform/jobs/jobs.ts'
import { OUTGOING_MAIL_LIMIT } from './contract.ts'

const FULL = `
  select 1 from outgoing_mails where organization_id = $1 offset ${OUTGOING_MAIL_LIMIT.most - 1} limit 1`

/** Whether another e-mail may wait: for one without which what it tells of is done all the same. */
export async function hasRoomForMail(db: Db, organizationId: number): Promise<boolean> {
  return (await db.rows('mails_full', FULL, [organizationId])).length === 0
}

/** A mail server that does not answer holds up no more than these. */
const MAX_DUE = 20

const DUE = `
  select m.organization_id as "organizationId", m.id from outgoing_mails m
  join organization_settings o on o.organization_id = m.organization_id and not o.deactivated
  where m.attempt_at <= $1 order by m.attempt_at, m.id limit ${MAX_DUE}`

/** The e-mails that are to be tried now. Those of a deactivated organization wait until it is active again. */
export async function dueMails(db: Db, now: number): Promise<Due[]> {
  return db.rows<Due>('due_mails', DUE, [now])
}
