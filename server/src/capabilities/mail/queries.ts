import type { Db } from '../../kernel/transaction.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { fairPageSql, type ConcurrencyLimits } from '../../platform/jobs/concurrency-limits.ts'
import { OUTGOING_MAIL_LIMIT } from './contract.ts'

const WAITING_MAIL_AT_OFFSET = 'select 1 from outgoing_mails where organization_id = $1 offset $2 limit 1'

/** Whether the queue contains fewer than `most` emails. A low `most` leaves space for essential emails. */
export async function hasMailQueueSpace(
  db: Db,
  organizationId: number,
  most: number = OUTGOING_MAIL_LIMIT.most,
): Promise<boolean> {
  return (await db.rows('mails_waiting', WAITING_MAIL_AT_OFFSET, [organizationId, most - 1])).length === 0
}

export const FULL_MAIL_QUEUES = `
  select organization_id from outgoing_mails group by organization_id having count(*) >= ${OUTGOING_MAIL_LIMIT.most}`

/** Limits how many emails are sent concurrently. Each recipient gets emails one at a time, in order. */
export const CONCURRENCY_LIMITS: ConcurrencyLimits = {
  maxUnits: 16,
  maxUnitsPerOrganization: 4,
  maxUnitsPerHost: 4,
  maxUnitsPerPerson: 1,
  maxUnitsPerPersonAndHost: 1,
}

const DUE_MAILS = fairPageSql(
  `select m.organization_id, m.id, m.attempt_at as due_at, m.recipient as person, '' as host
   from outgoing_mails m
   join organization_settings o on o.organization_id = m.organization_id and not o.deactivated
   where m.attempt_at <= $1`,
  CONCURRENCY_LIMITS,
)

export async function dueMails(db: Db, now: number, full: readonly string[]): Promise<DueJob[]> {
  return db.rows<DueJob>('due_mails', DUE_MAILS, [now, full])
}

/** URL to which mail clients post one-click unsubscribe requests (RFC 8058). */
export const UNSUBSCRIBE_ENDPOINT_PATH = '/api/v1/unsubscribe'
/** Page with a confirmation button: link scanners open URLs, so opening the page must change nothing. */
export const UNSUBSCRIBE_PATH = '/unsubscribe#'
export const SETTINGS_PATH = '/settings/notifications'

export async function unsubscribePage({ query }: FileCall): Promise<FoundFile | undefined> {
  return Promise.resolve({ elsewhere: `${UNSUBSCRIBE_PATH}${encodeURIComponent(query.get('token') ?? '')}` })
}
