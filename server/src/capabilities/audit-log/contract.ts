import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, string } from '../../kernel/schemas.ts'
import { groupSettingValue } from '../groups/contract/index.ts'

const DAY_SECONDS = 86_400
export const AUDIT_RETENTION_SECONDS = 730 * DAY_SECONDS
export const AUDIT_LIMIT: Limit = {
  most: 100_000,
  per: 'organization',
  what: 'audit log entries; the oldest are removed, and every entry after two years',
}
/* Frequent entries have their own limits, so that they do not push out entries about rare changes. */
export const TOOL_USE_LIMIT: Limit = {
  most: 100_000,
  per: 'organization',
  what: 'tool uses in the audit log; the oldest are removed, and every use after two years',
}
export const PIN_CHANGE_LIMIT: Limit = {
  most: 100_000,
  per: 'organization',
  what: 'changes of pins and channel links in the audit log; the oldest are removed, and every change after two years',
}
const MAX_ENTRIES_PER_PAGE = 500

export const AUDIT_KINDS = [
  'people',
  'groups',
  'channels',
  'settings',
  'content',
  'bots',
  'invitations',
  'exports',
  'tools',
  'pins',
  'reports',
] as const
export const auditKind = z.enum(AUDIT_KINDS)
export type AuditKind = z.output<typeof auditKind>

export const auditTarget = z.strictObject({
  type: z.enum(['user', 'group', 'channel', 'folder']),
  id,
  /** Name at the time of the change. */
  name: string,
})
export type AuditTarget = z.output<typeof auditTarget>

const auditValue = z.union([string, integer, boolean, z.null(), groupSettingValue, z.array(integer), z.array(string)])
export type AuditValue = z.output<typeof auditValue>

export const auditChange = z.strictObject({
  property: string,
  /** Former value; absent if unknown or secret. */
  from: z.optional(auditValue),
  /** New value; absent for secrets and personal data such as an address or a profile. */
  to: z.optional(auditValue),
})
export type AuditChange = z.output<typeof auditChange>

export const auditEntry = z.strictObject({
  id: integer,
  /** UNIX seconds. */
  timestamp: integer,
  /** Null for the operator and for the server itself. */
  acting_user_id: z.nullable(id),
  /** True if the operator made the change with a command; otherwise absent. */
  is_by_operator: z.optional(boolean),
  kind: auditKind,
  /** For example `created` or `members_added`; in the first entry, `founded`; for a tool, `used` or `refused`. */
  action: string,
  target: z.nullable(auditTarget),
  changes: z.array(auditChange),
})
export type AuditEntry = z.output<typeof auditEntry>

export const getAuditLog = endpoint({
  id: 'getAuditLog',
  method: 'GET',
  path: '/audit_log',
  summary: 'Read the audit log of administrative changes and tool use, newest first. Administrators only.',
  description: 'Contains no keys, tokens, or passwords, only that they changed. Page with `before`.',
  since: 420,
  input: z.object({
    kind: z.optional(auditKind),
    /** Only entries by or about this account. */
    user_id: z.optional(id),
    /** UNIX seconds, inclusive. */
    since: z.optional(integer),
    /** UNIX seconds, exclusive. */
    until: z.optional(integer),
    before: z.optional(z.int().check(z.minimum(1))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ENTRIES_PER_PAGE)), 100),
  }),
  output: z.object({ entries: z.array(auditEntry), has_older: boolean }),
  errors: ['BAD_REQUEST'],
})
