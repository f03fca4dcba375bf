import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    data_exports: {
      organization_id: number
      id: number
      acting_user_id: number
      export_type: number
      begun_at: number
      name: string
      completed_at: number | null
      failed_at: number | null
      deleted_at: number | null
      leased_until: Generated<number>
      attempts: Generated<number>
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-data-exports',
    sql: `
create table data_exports (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  acting_user_id bigint not null,
  export_type smallint not null,
  begun_at bigint not null,
  name text not null,
  completed_at bigint,
  failed_at bigint,
  deleted_at bigint,
  leased_until bigint not null default 0,
  attempts int not null default 0,
  primary key (organization_id, id)
);
create index data_exports_pending on data_exports (leased_until) where completed_at is null and failed_at is null;
`,
  },
]
