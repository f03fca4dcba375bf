import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, idInRequest, integer, nothing, string, text } from '../../kernel/schemas.ts'

export const REPORT_REASONS = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates the norms here',
  other: 'Other reason',
} as const

export const REPORTS_TOPIC = 'message reports'

export const MAX_EXPLANATION_CHARACTERS = 1_000
export const MAX_NOTE_CHARACTERS = 5_000
const MAX_REPORTS_PER_PAGE = 100

const DAY_SECONDS = 86_400
export const CLOSED_REPORT_RETENTION_SECONDS = 365 * DAY_SECONDS
export const REPORT_RATE = { count: 30, seconds: 3_600 } as const
export const REPORT_ENTRY_LIMIT: Limit = {
  most: 500,
  per: 'message',
  what: 'entries in the history of its report; new ones replace the oldest, reports last',
}

export const reportReason = z.enum(['spam', 'harassment', 'inappropriate', 'norms', 'other'])
export type ReportReason = z.output<typeof reportReason>

export const REPORT_STATES = ['new', 'taken', 'resolved', 'dismissed'] as const
export const OPEN_STATES: readonly ReportState[] = ['new', 'taken']
export const reportState = z.enum(REPORT_STATES)
export type ReportState = z.output<typeof reportState>

export const messageReport = z.strictObject({
  report_id: id,
  message_id: id,
  /** The message's place, sender, and text when it was first reported. Null for a direct message. */
  stream_id: z.nullable(id),
  topic: string,
  sender_id: id,
  content: string,
  /** UNIX seconds, like all times of a report. */
  date_sent: integer,
  state: reportState,
  /** Moderator who handles the report. */
  assignee_id: z.nullable(id),
  reported_at: integer,
  changed_at: integer,
  reasons: z.array(reportReason),
  reporter_count: integer,
})
export type MessageReport = z.output<typeof messageReport>

export const reportEntryKind = z.enum(['reported', 'note', ...REPORT_STATES])

export const reportEntry = z.strictObject({
  entry_id: id,
  user_id: id,
  timestamp: integer,
  /** A state if the entry is a change of state or assignee. */
  kind: reportEntryKind,
  /** Only for `reported`. */
  reason: z.nullable(reportReason),
  /** Explanation of the person who reported the message, or the moderator's note. */
  content: string,
  /** The message's text at the time of this report if it differs from the text in the report. */
  message_content: z.nullable(string),
  assignee_id: z.nullable(id),
})
export type ReportEntry = z.output<typeof reportEntry>

export const reportMessage = endpoint({
  id: 'reportMessage',
  method: 'POST',
  path: '/messages/:message_id/report',
  summary: 'Report a message to the moderators.',
  description: 'Reporting a message again has no effect unless its text changed.',
  since: 382,
  input: z.object({
    message_id: id,
    report_type: reportReason,
    /** Required for `other`. */
    description: z._default(text(MAX_EXPLANATION_CHARACTERS), ''),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/* Moderators and administrators see reports of direct messages, and of messages that they can read, but not of their own. */

export const getMessageReports = endpoint({
  id: 'getMessageReports',
  method: 'GET',
  path: '/message_reports',
  summary: 'List reported messages, newest first. Moderators only.',
  description:
    'Moderators see reports of direct messages and of messages that they can read, except of their own messages. ' +
    'Clients with the capability `message_reports` get an event for each new or changed report. Page with `before`.',
  since: 420,
  input: z.object({
    /** `open` means `new` and `taken`. */
    state: z._default(z.enum(['open', ...REPORT_STATES]), 'open'),
    before: z.optional(idInRequest),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_REPORTS_PER_PAGE)), MAX_REPORTS_PER_PAGE),
  }),
  output: z.object({ reports: z.array(messageReport), has_older: boolean }),
  errors: ['BAD_REQUEST'],
})

export const getMessageReport = endpoint({
  id: 'getMessageReport',
  method: 'GET',
  path: '/message_reports/:report_id',
  summary: 'Read a report and its history. Moderators only.',
  since: 420,
  input: z.object({ report_id: idInRequest }),
  output: z.object({
    report: messageReport,
    /** Oldest first. */
    entries: z.array(reportEntry),
  }),
  errors: ['BAD_REQUEST'],
})

export const updateMessageReport = endpoint({
  id: 'updateMessageReport',
  method: 'PATCH',
  path: '/message_reports/:report_id',
  summary: "Change a report's state or assignee. Moderators only.",
  description:
    'Returns `EXPECTATION_MISMATCH` if another moderator changed the state or the assignee in the meantime. The state ' +
    '`new` removes the assignee.',
  since: 420,
  input: z.object({
    report_id: idInRequest,
    state: reportState,
    /** The moderator to assign the report to. Defaults to the present assignee or, without one, to the caller. */
    assignee_id: z.optional(idInRequest),
    old_state: reportState,
    old_assignee_id: z.nullable(idInRequest),
    note: z._default(text(MAX_NOTE_CHARACTERS), ''),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'EXPECTATION_MISMATCH'],
})

export const addReportNote = endpoint({
  id: 'addReportNote',
  method: 'POST',
  path: '/message_reports/:report_id/notes',
  summary: "Add a note to a report's history. Moderators only.",
  since: 420,
  input: z.object({ report_id: idInRequest, content: text(MAX_NOTE_CHARACTERS) }),
  output: z.object({ entry_id: id }),
  errors: ['BAD_REQUEST'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    /** Open reports: clients of moderators add the response of `getMessageReports`. */
    message_reports: MessageReport[]
  }
}

/** Sent only to clients with the capability `message_reports`. */
export const messageReportUpdated = event({
  type: 'message_reports',
  op: 'update',
  summary: 'A message was reported, or a report or its history changed.',
  payload: z.strictObject({ report: messageReport }),
  touches: ['message_reports'],
  apply(state, { report }) {
    const known = state['message_reports']
    if (known === undefined) return
    const others = known.filter(({ report_id }) => report_id !== report.report_id)
    const open = OPEN_STATES.includes(report.state) ? [...others, report] : others
    state['message_reports'] = open.toSorted((a, b) => b.report_id - a.report_id)
  },
})
