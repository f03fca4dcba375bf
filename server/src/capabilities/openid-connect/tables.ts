import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    openid_attempts: {
      organization_id: number
      digest: Buffer
      invitation_digest: Buffer | null
      expires_at: number
    }
    openid_identities: {
      organization_id: number
      issuer: string
      subject: string
      user_id: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // `openid_identities` links accounts to people at the provider; `openid_attempts` lists unfinished sign-ins.
  {
    name: '2026-11-25-openid-connect',
    sql: `
create table openid_attempts (
  organization_id bigint not null references organizations(id) on delete cascade,
  digest bytea not null,
  invitation_digest bytea,
  expires_at bigint not null,
  primary key (organization_id, digest)
);
create index openid_attempts_by_end on openid_attempts (expires_at);
create table openid_identities (
  organization_id bigint not null,
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  primary key (organization_id, issuer, subject),
  unique (organization_id, user_id, issuer),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('openid_identities', {
    columns: ['issuer', 'subject', 'user_id'],
    order: ['issuer', 'subject'],
    refers: { user_id: 'users' },
  }),
]
