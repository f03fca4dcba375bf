import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import { type FileStore, StoreUnavailableError } from '../../../platform/files/store.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { type Finding, noticeFinding, okFinding, wrongFinding } from '../../../kernel/finding.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import { createFairQueue } from '../../../platform/turns.ts'
import { fileKey, UNREAD_TEXT_CONDITION } from '../../uploads/queries.ts'
import type * as contract from '../contract.ts'

type Health = Output<typeof contract.getServerHealth>

/** Reads only one organization's due work, so it is cheap in normal operation. */
const COUNT_WAITING_WORK = `
  select 'emails' as what, count(*)::int as count, min(attempt_at) as since
  from outgoing_mails where organization_id = $1 and attempt_at <= $2
  union all
  select 'exports', count(*)::int, min(begun_at)
  from data_exports where organization_id = $1 and completed_at is null and failed_at is null
  union all
  select 'reminders', count(*)::int, min(delivery_at)
  from reminders where organization_id = $1 and not failed and delivery_at <= $2
  union all
  select 'scheduled_messages', count(*)::int, min(delivery_at)
  from scheduled_messages where organization_id = $1 and not failed and delivery_at <= $2
  union all
  select 'webhook_deliveries', count(*)::int, min(due_at)
  from outgoing_webhook_deliveries where organization_id = $1 and due_at <= $2
  order by what`

/** Reveals nothing about other organizations, nor the server's addresses and paths. */
export async function getServerHealth(
  { organizationId, actor, db }: Reader,
  _input: Input<typeof contract.getServerHealth>,
  server: ServerFacts,
): Promise<Health> {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  const problems = (await server.health.problems()).map(({ what }) => what)
  const canAsk = problems.every((what) => what === 'events_behind')
  return {
    version: server.version,
    started_at: server.startedAt,
    node_version: process.versions.node,
    problems,
    is_mail_configured: server.mailer.isConfigured,
    findings: presentFindings([
      ...(await server.checkup.findings()),
      ...(canAsk ? await checkOwnOrganization(db, server.files, organizationId) : []),
    ]),
    ...(canAsk ? await checkDatabase(db, organizationId) : { database: null, waiting: [] }),
  }
}

async function checkOwnOrganization(reads: Db, files: FileStore, organizationId: number): Promise<readonly Finding[]> {
  const found = await Promise.all([
    checkOverdueWork(reads, organizationId),
    checkRecentFiles(reads, files, organizationId),
    checkSearchIndex(reads, organizationId),
    checkFileSearchIndex(reads, organizationId),
  ])
  return found.filter((finding) => finding !== undefined)
}

function presentFindings(findings: readonly Finding[]): Health['findings'] {
  return findings.flatMap((finding) =>
    finding.state === 'ok' ? [] : [{ what: finding.trouble, severity: finding.state, value: finding.value }],
  )
}

async function checkDatabase(reads: Db, organizationId: number): Promise<Pick<Health, 'database' | 'waiting'>> {
  const asked = performance.now()
  const [database] = await reads.rows<{ version: string }>(
    'server_version',
    `select current_setting('server_version') as version`,
    [],
  )
  const milliseconds = Math.round(performance.now() - asked)
  const now = Math.floor(Date.now() / 1000)
  return {
    database: { version: database?.version ?? '', milliseconds },
    waiting: await reads.rows<Health['waiting'][number]>('server_health', COUNT_WAITING_WORK, [organizationId, now]),
  }
}

const OVERDUE_SECONDS = 600
const OVERDUE_EXPORT_SECONDS = 86_400
interface FileSampleSize {
  readonly filesPerOrganization: number
  readonly totalFiles: number
}
const FULL_SAMPLE: FileSampleSize = { filesPerOrganization: 500, totalFiles: 5_000 }
/** Enough to detect a wrong file store, at almost no cost. */
export const SMALL_SAMPLE: FileSampleSize = { filesPerOrganization: 3, totalFiles: 30 }
const MAX_CONCURRENT_FILE_CHECKS = 16

/** Reads only overdue work, so it is cheap in normal operation. */
const OVERDUE_WORK = `
  select 'emails' as what, count(*)::int as count from outgoing_mails
  where attempt_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'data exports', count(*)::int from data_exports
  where completed_at is null and failed_at is null and begun_at <= $3 and ($1::bigint is null or organization_id = $1)
  union all
  select 'reminders', count(*)::int from reminders
  where not failed and delivery_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'scheduled messages', count(*)::int from scheduled_messages
  where not failed and delivery_at <= $2 and ($1::bigint is null or organization_id = $1)
  union all
  select 'messages to webhooks', count(*)::int from outgoing_webhook_deliveries
  where due_at <= $2 and ($1::bigint is null or organization_id = $1)`

export async function checkOverdueWork(reads: Db, organizationId: number | null): Promise<Finding> {
  const now = Math.floor(Date.now() / 1000)
  const values = [organizationId, now - OVERDUE_SECONDS, now - OVERDUE_EXPORT_SECONDS]
  const rows = await reads.rows<{ what: string; count: number }>('late_work', OVERDUE_WORK, values)
  const overdue = rows.filter(({ count }) => count > 0)
  if (overdue.length === 0) return okFinding('work')
  const total = overdue.reduce((sum, { count }) => sum + count, 0)
  return wrongFinding('work', 'work_late', total, overdue.map(({ what, count }) => `${count} ${what}`).join(', '))
}

export async function checkSearchIndex(reads: Db, organizationId: number | null): Promise<Finding | undefined> {
  const [row] = await reads.rows<{ count: number }>(
    'unindexed_message_count',
    `select count(*)::int as count from messages
     where terms is null and ($1::bigint is null or organization_id = $1)`,
    [organizationId],
  )
  const count = row?.count ?? 0
  return count > 0 ? noticeFinding('work', 'search_incomplete', count) : undefined
}

export async function checkFileSearchIndex(reads: Db, organizationId: number | null): Promise<Finding | undefined> {
  const [row] = await reads.rows<{ count: number }>(
    'unread_file_count',
    `select count(*)::int as count from attachments
     where ${UNREAD_TEXT_CONDITION} and ($1::bigint is null or organization_id = $1)`,
    [organizationId],
  )
  const count = row?.count ?? 0
  return count > 0 ? noticeFinding('work', 'file_search_incomplete', count) : undefined
}

const LATEST_FILES = `
  select path_id as "pathId", size from organizations o cross join lateral (
    select path_id, size from attachments where organization_id = o.id order by id desc limit $2) latest
  where $1::bigint is null or o.id = $1 limit $3`
const REFERENCED_FILES = `
  select path_id as "pathId" from unnest($1::text[]) as sought(path)
  join attachments on organization_id = split_part(path, '/', 1)::bigint and path_id = path`

interface ExpectedFile {
  readonly pathId: string
  readonly size: number
}

/** Returns undefined if the file store is unreachable, which another check reports. */
export async function checkRecentFiles(
  reads: Db,
  files: Pick<FileStore, 'place' | 'size'>,
  organizationId: number | null,
  { filesPerOrganization, totalFiles }: FileSampleSize = FULL_SAMPLE,
): Promise<Finding | undefined> {
  const sought = await reads.rows<ExpectedFile>('latest_files', LATEST_FILES, [
    organizationId,
    filesPerOrganization,
    totalFiles,
  ])
  const sizes = await fileSizes(sought, files)
  if (sizes === undefined) return undefined
  const differing = sought.filter(({ size }, index) => sizes[index] !== size)
  if (differing.length === 0) return okFinding('files', `${sought.length} of the latest are present`)
  // Ignores files deleted during the check. New files are stored before any row refers to them.
  const paths = differing.map(({ pathId }) => pathId)
  const missing = await reads.rows<{ pathId: string }>('files_still_named', REFERENCED_FILES, [paths])
  const [first] = missing
  if (first === undefined) return okFinding('files', `${sought.length - differing.length} of the latest are present`)
  const isElsewhere = sizes.every((size) => size === undefined)
  return isElsewhere
    ? wrongFinding('files', 'files_elsewhere', missing.length, files.place)
    : wrongFinding('files', 'files_missing', missing.length, fileKey(first.pathId))
}

/** Returns the size of each file, undefined for a missing file; returns undefined if the store is unreachable. */
async function fileSizes(
  sought: readonly ExpectedFile[],
  files: Pick<FileStore, 'size'>,
): Promise<readonly (number | undefined)[] | undefined> {
  const inTurn = createFairQueue(MAX_CONCURRENT_FILE_CHECKS, FULL_SAMPLE.totalFiles, () => {
    throw new Error('more files than were asked for')
  })
  try {
    return await Promise.all(sought.map(async ({ pathId }) => inTurn(async () => files.size(fileKey(pathId)))))
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined
    throw error
  }
}
