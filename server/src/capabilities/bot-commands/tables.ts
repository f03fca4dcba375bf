import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, textOf, UnimportableRecordError, type ExportedTable } from '../../platform/moving/carried.ts'
import { MAX_DESCRIPTION_CHARACTERS, MAX_HINT_CHARACTERS } from './contract.ts'
import { isCommandName } from './rules.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    bot_commands: {
      organization_id: number
      name: string
      bot_id: number
      description: string
      argument_hint: string
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-30-bot-commands',
    sql: `
create table bot_commands (
  organization_id bigint not null,
  name text not null,
  bot_id bigint not null,
  description text not null,
  argument_hint text not null,
  primary key (organization_id, name),
  foreign key (organization_id, bot_id) references users (organization_id, id) on delete cascade
);
create index bot_commands_of_bot on bot_commands (organization_id, bot_id);
`,
  },
]

/** A code point is at most two UTF-16 units. */
const UNITS_PER_CHARACTER = 2

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('bot_commands', {
    columns: ['bot_id', 'name', 'description', 'argument_hint'],
    order: ['bot_id', 'name'],
    refers: { bot_id: 'users' },
    onImport(command) {
      if (!isCommandName(command['name'])) throw new UnimportableRecordError('name is not a command name')
      textOf(command, 'description', UNITS_PER_CHARACTER * MAX_DESCRIPTION_CHARACTERS)
      textOf(command, 'argument_hint', UNITS_PER_CHARACTER * MAX_HINT_CHARACTERS)
    },
  }),
]
