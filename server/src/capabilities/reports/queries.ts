import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { requireModerator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { CLOSED_REPORT_RETENTION_SECONDS, OPEN_STATES, type MessageReport, type ReportEntry } from './contract.ts'
import { maySeeReport } from './rules.ts'

const REPORTS = `
  select r.id as report_id, r.message_id, r.channel_id as stream_id, r.topic, r.sender_id, r.content, r.date_sent,
    r.state, r.assignee_id, r.reported_at, r.changed_at, coalesce(e.reasons, '{}') as reasons, e.reporter_count
  from message_reports r
  cross join lateral (
    select array_agg(distinct e.reason order by e.reason) as reasons, count(distinct e.user_id)::int as reporter_count
    from message_report_entries e
    where e.organization_id = $1 and e.report_id = r.id and e.kind = 'reported') e
  where r.organization_id = $1`

const REPORTS_BEFORE = `${REPORTS} and r.id < $2 and r.state = any($3::text[]) order by r.id desc limit $4`

const REPORT_ENTRIES = `
  select id as entry_id, user_id, created_at as timestamp, kind, reason, content, message_content, assignee_id
  from message_report_entries where organization_id = $1 and report_id = $2 order by id`

const MAX_REPORTS_PER_READ = 200

async function reportsBefore(
  db: Db,
  organizationId: number,
  states: readonly string[],
  before: number,
): Promise<MessageReport[]> {
  return db.rows('message_reports', REPORTS_BEFORE, [organizationId, before, states, MAX_REPORTS_PER_READ])
}

export async function getMessageReports(
  { db, organizationId, organization, actor }: Reader,
  { state, before = Number.MAX_SAFE_INTEGER, limit }: Input<typeof contract.getMessageReports>,
): Promise<Output<typeof contract.getMessageReports>> {
  requireModerator(actor)
  const states = state === 'open' ? OPEN_STATES : [state]
  const visible: MessageReport[] = []
  let next: number | undefined = before
  while (next !== undefined && visible.length <= limit) {
    const read: readonly MessageReport[] = await reportsBefore(db, organizationId, states, next)
    visible.push(...read.filter((report) => maySeeReport(organization, actor, report)))
    next = read.length < MAX_REPORTS_PER_READ ? undefined : read.at(-1)?.report_id
  }
  return { reports: visible.slice(0, limit), has_older: visible.length > limit }
}

export async function getMessageReport(
  reader: Reader,
  { report_id: reportId }: Input<typeof contract.getMessageReport>,
): Promise<Output<typeof contract.getMessageReport>> {
  const report = await requireVisibleReport(reader, reportId)
  return { report, entries: await entriesOf(reader.db, reader.organizationId, reportId) }
}

/** Hidden reports get the same error as missing ones. @throws ApiError BAD_REQUEST */
export async function requireVisibleReport(
  { db, organizationId, organization, actor }: Pick<Reader, 'db' | 'organizationId' | 'organization' | 'actor'>,
  reportId: number,
): Promise<MessageReport> {
  requireModerator(actor)
  const report = await reportById(db, organizationId, reportId)
  if (report === undefined || !maySeeReport(organization, actor, report)) {
    throw new ApiError('BAD_REQUEST', 'Invalid report ID')
  }
  return report
}

export async function reportById(db: Db, organizationId: number, id: number): Promise<MessageReport | undefined> {
  const [report] = await db.rows<MessageReport>('message_report', `${REPORTS} and r.id = $2`, [organizationId, id])
  return report
}

export async function reportOfMessage(
  db: Db,
  organizationId: number,
  messageId: number,
): Promise<MessageReport | undefined> {
  const [report] = await db.rows<MessageReport>('report_of_message', `${REPORTS} and r.message_id = $2`, [
    organizationId,
    messageId,
  ])
  return report
}

export async function entriesOf(db: Db, organizationId: number, reportId: number): Promise<ReportEntry[]> {
  return db.rows('message_report_entries', REPORT_ENTRIES, [organizationId, reportId])
}

const MAX_EXPIRED_REPORTS = 500

const EXPIRED_REPORTS = `
  select r.organization_id as "organizationId", r.id from message_reports r
  join organization_settings o on o.organization_id = r.organization_id and not o.deactivated
  where r.state in ('resolved', 'dismissed') and r.changed_at < $1 order by r.changed_at limit ${MAX_EXPIRED_REPORTS}`

export async function expiredReports(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('expired_reports', EXPIRED_REPORTS, [now - CLOSED_REPORT_RETENTION_SECONDS])
}
