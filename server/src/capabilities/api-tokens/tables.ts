import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    api_tokens: {
      organization_id: number
      id: number
      user_id: number
      digest: Buffer
      name: string
      is_read_only: boolean
      channel_ids: number[] | null
      created_at: number
      expires_at: number | null
      used_at: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-26-api-tokens',
    sql: `
create table api_tokens (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  name text not null,
  is_read_only boolean not null,
  channel_ids bigint[],
  created_at bigint not null,
  expires_at bigint,
  used_at bigint,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index api_tokens_by_user on api_tokens (organization_id, user_id);
`,
  },
]
