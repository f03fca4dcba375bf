import { isBlank } from '../../kernel/characters.ts'
import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { BOT_TYPE } from '../users/contract/index.ts'
import {
  COMMAND_LIMIT,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_HINT_CHARACTERS,
  ORGANIZATION_COMMAND_LIMIT,
} from './contract.ts'
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
const MAX_UTF16_UNITS_PER_CODE_POINT = 2

/** Only outgoing webhook bots can delete their commands: other accounts would block a command's name forever. */
const DELETE_SURPLUS_COMMANDS = `
  delete from bot_commands where organization_id = $1 and name in (
    select name from (
      select c.name, u.bot_type, row_number() over (partition by c.bot_id order by c.name) as number,
        row_number() over (order by c.bot_id, c.name) as overall
      from bot_commands c join users u on u.organization_id = $1 and u.id = c.bot_id
      where c.organization_id = $1) numbered
    where bot_type is distinct from $2 or number > $3 or overall > $4)
  returning name`

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('bot_commands', {
    columns: ['bot_id', 'name', 'description', 'argument_hint'],
    order: ['bot_id', 'name'],
    refers: { bot_id: 'users' },
    onImport(command) {
      if (!isCommandName(command['name'])) throw new UnimportableRecordError('name is not a command name')
      const description = requireText(
        command,
        'description',
        MAX_UTF16_UNITS_PER_CODE_POINT * MAX_DESCRIPTION_CHARACTERS,
      )
      if (isBlank(description)) throw new UnimportableRecordError('description is empty')
      requireText(command, 'argument_hint', MAX_UTF16_UNITS_PER_CODE_POINT * MAX_HINT_CHARACTERS)
    },
    async finish(db, organizationId, note) {
      const deleted = await db.rows<{ name: string }>('delete_surplus_commands', DELETE_SURPLUS_COMMANDS, [
        organizationId,
        BOT_TYPE.outgoingWebhook,
        COMMAND_LIMIT.most,
        ORGANIZATION_COMMAND_LIMIT.most,
      ])
      for (const { name } of deleted) note('commands of other accounts, and beyond the limits', `/${name}`)
    },
  }),
]
