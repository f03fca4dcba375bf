import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { TROUBLES } from '../../kernel/finding.ts'
import { boolean, integer, nothing, string } from '../../kernel/schemas.ts'

/** What keeps the process that answers from its work; `/readyz` says the same to those who run the server. */
export const PROBLEMS = [
  'database_read_only',
  'database_full',
  'database_unreachable',
  'database_silent',
  'events_behind',
] as const

/** Work that no request waits for. */
export const WAITING = ['emails', 'exports', 'reminders', 'scheduled_messages', 'webhook_deliveries'] as const

export const getServerHealth = endpoint({
  id: 'getServerHealth',
  method: 'GET',
  path: '/server_health',
  summary: 'Read how the server is, as far as it concerns the organization. Only administrators may.',
  description:
    'While the database cannot be asked, or takes no writes, `problems` says so, `database` is null and `waiting` is empty.',
  since: 420,
  input: nothing,
  output: z.object({
    version: string,
    /** UNIX seconds: when the process began that answers. */
    started_at: integer,
    node_version: string,
    problems: z.array(z.enum(PROBLEMS)),
    database: z.nullable(
      z.strictObject({
        version: string,
        /** How long it took to answer a small question. */
        milliseconds: integer,
      }),
    ),
    /** What is not as it should be, `wrong` where it needs to be put right. */
    findings: z.array(
      z.strictObject({
        what: z.enum(TROUBLES),
        severity: z.enum(['wrong', 'notice']),
        /** The number that belongs to it, such as mebibytes, seconds or how many; null where there is none. */
        value: z.nullable(integer),
      }),
    ),
    /** Whether e-mails leave the server. */
    is_mail_configured: boolean,
    /** What of the organization is due and was not done yet. */
    waiting: z.array(
      z.strictObject({
        what: z.enum(WAITING),
        count: integer,
        /** UNIX seconds: since when the first of them is due; null where nothing is. */
        since: z.nullable(integer),
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
})
