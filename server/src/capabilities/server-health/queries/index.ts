import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import type { FileStore } from '../../../platform/files/store.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { Finding } from '../../../kernel/finding.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { checkRecentFiles, checkOverdueWork } from './findings.ts'

type Health = Output<typeof contract.getServerHealth>

/** Reads only one organization's due work, so it is cheap in normal operation. */
const WAITING_WORK = `
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
    waiting: await reads.rows<Health['waiting'][number]>('server_health', WAITING_WORK, [organizationId, now]),
  }
}
