import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channel_addresses: {
      organization_id: number
      channel_id: number
      creator_id: number
      sender_id: number
      seed: Buffer
      digest: Buffer
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-channel-addresses',
    sql: `
create table channel_addresses (
  organization_id bigint not null,
  channel_id bigint not null,
  creator_id bigint not null,
  sender_id bigint not null,
  seed bytea not null,
  digest bytea not null,
  primary key (organization_id, creator_id, channel_id, sender_id),
  unique (organization_id, digest),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade,
  foreign key (organization_id, creator_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, sender_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
