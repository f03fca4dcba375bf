import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    setup_links: {
      string_id: string
      digest: Buffer
      name: string
      made_at: number
      expires_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-setup-links',
    sql: `
create table setup_links (
  string_id text not null,
  digest bytea not null,
  name text not null,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (string_id, digest)
);
`,
  },
]
