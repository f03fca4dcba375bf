import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import {
  AUDIT_LIMIT,
  AUDIT_RETENTION_SECONDS,
  PIN_CHANGE_LIMIT,
  TOOL_USE_LIMIT,
  type AuditEntry,
  type AuditTarget,
} from './contract.ts'

interface StoredEntry extends Omit<AuditEntry, 'target' | 'is_by_operator'> {
  readonly is_by_operator: boolean
  readonly target_type: AuditTarget['type'] | null
  readonly target_id: number | null
  readonly target_name: string | null
}

const ENTRY_COLUMNS =
  'id, recorded_at as timestamp, acting_user_id, is_by_operator, kind, action, target_type, target_id, target_name, changes'

/** Each subquery walks an index backward and stops at the page size. */
const AUDIT_ENTRIES = `
  select ${ENTRY_COLUMNS} from audit_log
  where organization_id = $1 and id < $2 and recorded_at >= $3 and recorded_at < $4 and ($5::text is null or kind = $5)
  order by id desc limit $6`

const AUDIT_ENTRIES_OF_PERSON = `
  select ${ENTRY_COLUMNS} from (
    (select * from audit_log
      where organization_id = $1 and acting_user_id = $7 and id < $2 and recorded_at >= $3 and recorded_at < $4
        and ($5::text is null or kind = $5)
      order by id desc limit $6)
    union
    (select * from audit_log
      where organization_id = $1 and target_type = 'user' and target_id = $7 and id < $2 and recorded_at >= $3
        and recorded_at < $4 and ($5::text is null or kind = $5)
      order by id desc limit $6)) as either
  order by id desc limit $6`

const MAX_ID = Number.MAX_SAFE_INTEGER

export async function getAuditLog(
  { db, organizationId, actor }: Reader,
  { kind, user_id: userId, since = 0, until = MAX_ID, before = MAX_ID, limit }: Input<typeof contract.getAuditLog>,
): Promise<Output<typeof contract.getAuditLog>> {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  const values = [organizationId, before, since, until, kind ?? null, limit + 1]
  const rows =
    userId === undefined
      ? await db.rows<StoredEntry>('audit_log', AUDIT_ENTRIES, values)
      : await db.rows<StoredEntry>('audit_log_of_person', AUDIT_ENTRIES_OF_PERSON, [...values, userId])
  return { entries: rows.slice(0, limit).map(presentEntry), has_older: rows.length > limit }
}

function presentEntry(stored: StoredEntry): AuditEntry {
  const { target_type: type, target_id: id, target_name: name, is_by_operator: isByOperator, ...entry } = stored
  const target = type === null || id === null ? null : { type, id, name: name ?? '' }
  return { ...entry, ...(isByOperator ? { is_by_operator: true } : {}), target }
}

const MAX_DUE_JOBS = 100

const LOGS_WITH_EXPIRED_ENTRIES = `
  select distinct a.organization_id as "organizationId", 0 as id from audit_log a
  join organization_settings s on s.organization_id = a.organization_id and not s.deactivated
  where a.recorded_at < $1 limit ${MAX_DUE_JOBS}`

const LOGS_WITH_SURPLUS_ENTRIES = `
  select o.id as "organizationId", 0 as id from organizations o
  join organization_settings s on s.organization_id = o.id and not s.deactivated
  where exists (select from audit_log a where a.organization_id = o.id and a.kind not in ('tools', 'pins') order by a.id desc offset $1 limit 1)
    or exists (select from audit_log a where a.organization_id = o.id and a.kind = 'tools' order by a.id desc offset $2 limit 1)
    or exists (select from audit_log a where a.organization_id = o.id and a.kind = 'pins' order by a.id desc offset $3 limit 1)
  limit ${MAX_DUE_JOBS}`

export async function dueAuditLogs(db: Db, now: number): Promise<DueJob[]> {
  const old = await db.rows<DueJob>('due_audit_log_age', LOGS_WITH_EXPIRED_ENTRIES, [now - AUDIT_RETENTION_SECONDS])
  const limits = [AUDIT_LIMIT.most, TOOL_USE_LIMIT.most, PIN_CHANGE_LIMIT.most]
  const many = await db.rows<DueJob>('due_audit_log_count', LOGS_WITH_SURPLUS_ENTRIES, limits)
  const ids = new Set([...old, ...many].map(({ organizationId }) => organizationId))
  return [...ids].map((organizationId) => ({ organizationId, id: 0 }))
}
