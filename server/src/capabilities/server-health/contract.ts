import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { PROBLEM_CODES } from '../../kernel/finding.ts'
import { boolean, integer, nothing, string } from '../../kernel/schemas.ts'

/** Reasons why the responding process is not ready, as in `/readyz`. */
export const PROBLEMS = [
  'database_read_only',
  'database_full',
  'database_unreachable',
  'database_silent',
  'events_behind',
] as const

export const KINDS_OF_WORK = ['emails', 'exports', 'reminders', 'scheduled_messages', 'webhook_deliveries'] as const

export const getServerHealth = endpoint({
  id: 'getServerHealth',
  method: 'GET',
  path: '/server_health',
  summary: 'Get the server health that concerns the organization. Administrators only.',
  description:
    'While the database is unreachable or read-only, `problems` says so, `database` is null, and `waiting` is ' +
    'empty.',
  since: 420,
  input: nothing,
  output: z.object({
    version: string,
    /** UNIX seconds when the responding process started. */
    started_at: integer,
    node_version: string,
    problems: z.array(z.enum(PROBLEMS)),
    database: z.nullable(
      z.strictObject({
        version: string,
        milliseconds: integer,
      }),
    ),
    /** Problems found. Those with the severity `wrong` require action. */
    findings: z.array(
      z.strictObject({
        what: z.enum(PROBLEM_CODES),
        severity: z.enum(['wrong', 'notice']),
        /** Extent of the problem, such as mebibytes, seconds, or a count; null if it has no number. */
        value: z.nullable(integer),
      }),
    ),
    is_mail_configured: boolean,
    waiting: z.array(
      z.strictObject({
        what: z.enum(KINDS_OF_WORK),
        count: integer,
        /** UNIX seconds when the oldest waiting item became due; null if none is waiting. */
        since: z.nullable(integer),
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
})
