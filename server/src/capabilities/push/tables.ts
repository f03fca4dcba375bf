import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    push_tokens: {
      organization_id: number
      user_id: number
      kind: string
      token: string
      app_id: string | null
      position: number
      registered_at: number
    }
    client_devices: { organization_id: number; user_id: number; id: number }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-push',
    sql: `
create table push_tokens (
  organization_id bigint not null,
  user_id bigint not null,
  kind text not null,
  token text not null,
  app_id text,
  position bigint not null,
  registered_at bigint not null,
  primary key (organization_id, user_id, kind, token),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create table client_devices (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
