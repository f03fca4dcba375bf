import { randomBytes } from 'node:crypto'
import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    bot_services: {
      organization_id: number
      user_id: number
      base_url: string
      token: string
      interface: number
      /** Whether nothing is sent to the URL until a manager of the bot sets it again. */
      is_paused: Generated<boolean>
    }
    bot_storage: { organization_id: number; user_id: number; key: string; value: string; characters: Generated<number> }
  }
}

export const migrations: readonly Migration[] = [
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
  {
    name: '2026-11-29-paused-bot-services',
    sql: `
alter table bot_services add column is_paused boolean not null default false;
`,
  },
]

const MAX_URL_LENGTH = 2_048
const TOKEN_BYTES = 16

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('bot_services', {
    columns: ['user_id', 'base_url', 'token', 'interface', 'is_paused'],
    order: ['user_id'],
    secrets: ['token'],
    refers: { user_id: 'users' },
    onImport(service, { note }) {
      const url = requireText(service, 'base_url', MAX_URL_LENGTH)
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UnimportableRecordError('base_url is not a URL')
      // Archives from earlier versions lack this field.
      service['is_paused'] = service['is_paused'] === true
      if (service['token'] !== null) return
      service['token'] = randomBytes(TOKEN_BYTES).toString('hex')
      note('outgoing webhook bots: they get new tokens')
    },
  }),
  exportedTable('bot_storage', {
    columns: ['user_id', 'key', 'value'],
    order: ['user_id', 'key'],
    refers: { user_id: 'users' },
  }),
]
