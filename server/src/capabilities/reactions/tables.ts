import type { Migration } from '../../kernel/tables.ts'
import { EMOJI_TYPES } from '../users/contract/status.ts'
import { exportedTable, UnimportableRecordError, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    reactions: {
      organization_id: number
      message_id: number
      reaction_type: string
      emoji_code: string
      user_id: number
      emoji_name: string
      position: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // The primary key contains the code instead of the name, so a user adds each emoji at most once.
  {
    name: '2026-11-21-reactions',
    sql: `
create table reactions (
  organization_id bigint not null,
  message_id bigint not null,
  reaction_type text not null,
  emoji_code text not null,
  user_id bigint not null,
  emoji_name text not null,
  position bigint not null,
  primary key (organization_id, message_id, reaction_type, emoji_code, user_id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
`,
  },
]

const REACTION_TYPES: readonly unknown[] = EMOJI_TYPES

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('reactions', {
    columns: ['message_id', 'reaction_type', 'emoji_code', 'user_id', 'emoji_name', 'position'],
    order: ['message_id', 'reaction_type', 'emoji_code', 'user_id'],
    refers: { message_id: 'messages', user_id: 'users' },
    after: ['realm_emoji'],
    onImport({ reaction_type: type }) {
      if (!REACTION_TYPES.includes(type)) throw new UnimportableRecordError('reaction_type is invalid')
    },
  }),
]
