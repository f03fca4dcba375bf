import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    bot_services: { organization_id: number; user_id: number; base_url: string; token: string; interface: number }
    bot_storage: { organization_id: number; user_id: number; key: string; value: string; characters: Generated<number> }
  }
}

export const migrations: readonly Migration[] = [
  // The values that the programs of bots store.
  {
    name: '2026-11-22-bot-storage',
    sql: `
create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  value text not null,
  -- Kept, so that adding up what an account stores does not read the values.
  characters int not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (organization_id, user_id, key),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  // Where outgoing webhook bots are sent what is said to them.
  {
    name: '2026-11-25-bot-services',
    sql: `
create table bot_services (
  organization_id bigint not null,
  user_id bigint not null,
  base_url text not null,
  token text not null,
  interface smallint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
