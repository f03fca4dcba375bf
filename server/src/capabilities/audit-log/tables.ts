import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { auditChange, AUDIT_KINDS } from './contract.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    audit_log: {
      organization_id: number
      id: number
      recorded_at: number
      acting_user_id: number | null
      is_by_operator: boolean
      kind: string
      action: string
      target_type: string | null
      target_id: number | null
      target_name: string | null
      changes: string
    }
  }
}

export const migrations: readonly Migration[] = [
  // No foreign keys: entries outlive the accounts and channels that they name.
  {
    name: '2026-11-25-audit-log',
    sql: `
create table audit_log (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  recorded_at bigint not null,
  acting_user_id bigint,
  kind text not null,
  action text not null,
  target_type text,
  target_id bigint,
  target_name text,
  changes jsonb not null,
  primary key (organization_id, id)
);
create index audit_log_kind on audit_log (organization_id, kind, id);
create index audit_log_actor on audit_log (organization_id, acting_user_id, id);
create index audit_log_target on audit_log (organization_id, target_id, id) where target_type = 'user';
create index audit_log_oldest on audit_log (recorded_at);
`,
  },
  {
    name: '2026-11-26-audit-log-changes',
    sql: `
create index audit_log_changes on audit_log (organization_id, id) where kind <> 'tools';
`,
  },
  {
    name: '2026-11-26-audit-log-operators',
    sql: `
alter table audit_log add column is_by_operator boolean not null default false;
`,
  },
  {
    name: '2026-11-30-audit-log-pins',
    sql: `
create index audit_log_rare on audit_log (organization_id, id) where kind not in ('tools', 'pins');
drop index audit_log_changes;
`,
  },
]

export const MAX_ENTRIES_PER_EVENT = 1_024

const TARGET_TYPES: readonly unknown[] = [null, 'user', 'group', 'channel', 'folder']
const ENTRY_KINDS: readonly unknown[] = AUDIT_KINDS
const MAX_ACTION_LENGTH = 100

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('audit_log', {
    columns: [
      'id',
      'recorded_at',
      'acting_user_id',
      'is_by_operator',
      'kind',
      'action',
      'target_type',
      'target_id',
      'target_name',
      'changes',
    ],
    order: ['id'],
    idsOfPosition: MAX_ENTRIES_PER_EVENT,
    onImport(entry) {
      requireText(entry, 'action', MAX_ACTION_LENGTH)
      const { kind, target_type: target, changes } = entry
      const isKnown = ENTRY_KINDS.includes(kind) && TARGET_TYPES.includes(target)
      if (!isKnown || !Array.isArray(changes) || !changes.every((change) => auditChange.safeParse(change).success)) {
        throw new UnimportableRecordError('it is not an entry of the audit log')
      }
    },
  }),
]
