import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { MAX_SLOW_MODE_SECONDS } from './contract.ts'
import { placeKey } from './queries.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    slow_modes: {
      organization_id: number
      channel_id: number
      place: string
      /** Null for the whole channel. */
      topic: string | null
      seconds: number
    }
    /** When people last sent a message where slow mode is on. */
    slow_mode_turns: {
      organization_id: number
      channel_id: number
      place: string
      user_id: number
      seconds: number
      sent_at: number
      /** Messages refused since then. */
      refusals: number
    }
    lock_downs: { organization_id: number; ends_at: number }
    /** People who joined by invitation. */
    invited_people: { organization_id: number; user_id: number }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-30-slow-mode',
    sql: `
create table slow_modes (
  organization_id bigint not null,
  channel_id bigint not null,
  place text not null,
  topic text,
  seconds int not null,
  primary key (organization_id, channel_id, place),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);
create table slow_mode_turns (
  organization_id bigint not null,
  channel_id bigint not null,
  place text not null,
  user_id bigint not null,
  seconds int not null,
  sent_at bigint not null,
  refusals int not null default 0,
  primary key (organization_id, channel_id, place, user_id),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index slow_mode_turns_user on slow_mode_turns (organization_id, user_id);
`,
  },
  {
    name: '2026-12-01-lock-downs',
    sql: `
create table lock_downs (
  organization_id bigint not null references organizations (id) on delete cascade,
  ends_at bigint not null,
  primary key (organization_id)
);
`,
  },
  {
    name: '2026-12-01-invited-people',
    sql: `
create table invited_people (
  organization_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

const MAX_TOPIC_CHARACTERS = 200

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('slow_modes', {
    columns: ['channel_id', 'topic', 'seconds'],
    order: ['channel_id', 'topic'],
    derived: ['place'],
    refers: { channel_id: 'channels' },
    onImport(slowMode) {
      const { topic, seconds } = slowMode
      if (!Number.isInteger(seconds) || Number(seconds) < 1 || Number(seconds) > MAX_SLOW_MODE_SECONDS) {
        throw new UnimportableRecordError('seconds is invalid')
      }
      const name = topic === null ? null : requireText(slowMode, 'topic', MAX_TOPIC_CHARACTERS).normalize('NFC')
      slowMode['topic'] = name
      slowMode['place'] = placeKey(name)
    },
  }),
  exportedTable('invited_people', { columns: ['user_id'], order: ['user_id'], refers: { user_id: 'users' } }),
]
