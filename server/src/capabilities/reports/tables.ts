import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import {
  MAX_NOTE_CHARACTERS,
  reportEntryKind,
  reportReason,
  reportState,
  type ReportEntry,
  type ReportReason,
  type ReportState,
} from './contract.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    message_reports: {
      organization_id: number
      id: number
      message_id: number
      channel_id: number | null
      topic: string
      sender_id: number
      content: string
      date_sent: number
      state: ReportState
      assignee_id: number | null
      reported_at: number
      changed_at: number
    }
    message_report_entries: {
      organization_id: number
      id: number
      report_id: number
      user_id: number
      created_at: number
      kind: ReportEntry['kind']
      reason: ReportReason | null
      content: string
      message_content: string | null
      assignee_id: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  // Copies the message, without a reference: reports outlive edited and deleted messages.
  {
    name: '2026-11-30-message-reports',
    sql: `
create table message_reports (
  organization_id bigint not null,
  id bigint not null,
  message_id bigint not null,
  channel_id bigint,
  topic text not null,
  sender_id bigint not null,
  content text not null,
  date_sent bigint not null,
  state text not null check (state in ('new', 'taken', 'resolved', 'dismissed')),
  assignee_id bigint,
  reported_at bigint not null,
  changed_at bigint not null,
  primary key (organization_id, id),
  unique (organization_id, message_id),
  foreign key (organization_id, sender_id) references users (organization_id, id) on delete cascade
);
create index message_reports_in_state on message_reports (organization_id, state, id);
create index message_reports_closed on message_reports (changed_at) where state in ('resolved', 'dismissed');
create table message_report_entries (
  organization_id bigint not null,
  id bigint not null,
  report_id bigint not null,
  user_id bigint not null,
  created_at bigint not null,
  kind text not null,
  reason text,
  content text not null,
  message_content text,
  assignee_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, report_id) references message_reports (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index message_report_entries_of_report on message_report_entries (organization_id, report_id, id);
create index message_report_entries_of_user on message_report_entries (organization_id, user_id, created_at);
`,
  },
]

/** Longer than any message, even one of an imported organization. */
const MAX_MESSAGE_CHARACTERS = 100_000
/** A code point is at most two UTF-16 units. */
const MAX_UTF16_UNITS_PER_CODE_POINT = 2

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('message_reports', {
    columns: [
      'id',
      'message_id',
      'channel_id',
      'topic',
      'sender_id',
      'content',
      'date_sent',
      'state',
      'assignee_id',
      'reported_at',
      'changed_at',
    ],
    order: ['id'],
    // `refers` omits `message_id`, because the message may have been deleted.
    refers: { channel_id: 'channels', sender_id: 'users' },
    loosely: { assignee_id: 'users' },
    onImport(report) {
      if (!reportState.safeParse(report['state']).success) throw new UnimportableRecordError('state is invalid')
      requireText(report, 'content', MAX_MESSAGE_CHARACTERS)
    },
  }),
  exportedTable('message_report_entries', {
    columns: [
      'id',
      'report_id',
      'user_id',
      'created_at',
      'kind',
      'reason',
      'content',
      'message_content',
      'assignee_id',
    ],
    order: ['id'],
    belongsTo: 'user_id',
    exportedAs: { id: null, created_at: 'timestamp' },
    refers: { report_id: 'message_reports', user_id: 'users' },
    loosely: { assignee_id: 'users' },
    onImport(entry) {
      const { kind, reason, message_content: content } = entry
      if (!reportEntryKind.safeParse(kind).success) throw new UnimportableRecordError('kind is invalid')
      if (reason !== null && !reportReason.safeParse(reason).success) {
        throw new UnimportableRecordError('reason is invalid')
      }
      requireText(entry, 'content', MAX_UTF16_UNITS_PER_CODE_POINT * MAX_NOTE_CHARACTERS)
      if (content !== null) requireText(entry, 'message_content', MAX_MESSAGE_CHARACTERS)
    },
  }),
]
