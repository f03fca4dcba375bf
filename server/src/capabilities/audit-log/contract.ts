import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, string } from '../../kernel/schemas.ts'
import { groupSettingValue } from '../groups/contract/index.ts'

const DAY_SECONDS = 86_400
/** How long an entry is kept. */
export const AUDIT_SECONDS = 730 * DAY_SECONDS
export const AUDIT_LIMIT: Limit = {
  most: 100_000,
  per: 'organization',
  what: 'entries of the audit log; the oldest go, and none stays longer than two years',
}
/** What is used much does not push out what is changed seldom. */
export const USE_LIMIT: Limit = {
  most: 100_000,
  per: 'organization',
  what: 'uses of tools in the audit log, in the same way',
}
/** Entries of one answer. */
const MAX_ENTRIES = 500

/** What administration is about. */
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
] as const
export const auditKind = z.enum(AUDIT_KINDS)
export type AuditKind = z.output<typeof auditKind>

/** Of what something was changed; what has no id of its own is named in the changes. */
export const auditTarget = z.strictObject({
  type: z.enum(['user', 'group', 'channel', 'folder']),
  id,
  /** What it was called then. */
  name: string,
})
export type AuditTarget = z.output<typeof auditTarget>

const auditValue = z.union([string, integer, boolean, z.null(), groupSettingValue, z.array(integer), z.array(string)])
export type AuditValue = z.output<typeof auditValue>

export const auditChange = z.strictObject({
  /** The name of the setting or the field. */
  property: string,
  /** What it was, where that is known and no secret. */
  from: z.optional(auditValue),
  /** What it is since then; absent for secrets, and for what is a person's own, such as an address or a profile. */
  to: z.optional(auditValue),
})
export type AuditChange = z.output<typeof auditChange>

export const auditEntry = z.strictObject({
  /** Grows with time. */
  id: integer,
  /** UNIX seconds. */
  timestamp: integer,
  /** Who did it; null for those who run the server, and for the server itself. */
  acting_user_id: z.nullable(id),
  /** There, and true, where those who run the server did it by a command. */
  is_by_operator: z.optional(boolean),
  kind: auditKind,
  /** Such as `created`, `changed`, `members_added`, `deactivated`, and `founded` for the first of all; of tools `used` and `refused`. */
  action: string,
  target: z.nullable(auditTarget),
  changes: z.array(auditChange),
})
export type AuditEntry = z.output<typeof auditEntry>

export const getAuditLog = endpoint({
  id: 'getAuditLog',
  method: 'GET',
  path: '/audit_log',
  summary: 'Read who changed what of the administration and who used tools, the newest first. Only administrators may.',
  description:
    'It has no secrets, such as keys, tokens and passwords: only that they were changed. Pages follow each other by `before`.',
  since: 420,
  input: z.object({
    kind: z.optional(auditKind),
    /** Only what this account did, and what was done to it. */
    user_id: z.optional(id),
    /** UNIX seconds; from then on. */
    since: z.optional(integer),
    /** UNIX seconds; before then. */
    until: z.optional(integer),
    /** Only entries with smaller ids. */
    before: z.optional(z.int().check(z.minimum(1))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ENTRIES)), 100),
  }),
  output: z.object({ entries: z.array(auditEntry), has_older: boolean }),
  errors: ['BAD_REQUEST'],
})
