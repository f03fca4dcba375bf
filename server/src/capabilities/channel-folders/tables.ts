import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, toPrintableName, requireText, type ExportedTable } from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { LIMITS } from '../organizations/contract/organization.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channel_folders: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      rendered_description: string
      position: number
      date_created: number | null
      creator_id: number | null
      is_archived: boolean
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-channel-folders',
    sql: `
create table channel_folders (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  rendered_description text not null,
  position int not null,
  date_created bigint,
  creator_id bigint,
  is_archived boolean not null,
  primary key (organization_id, id)
);
create unique index channel_folders_name on channel_folders (organization_id, name_key) where not is_archived;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('channel_folders', {
    columns: [
      'id',
      'name',
      'description',
      'rendered_description',
      'position',
      'date_created',
      'creator_id',
      'is_archived',
    ],
    order: ['id'],
    derived: ['name_key'],
    loosely: { creator_id: 'users' },
    after: ['channels'],
    rendered: [{ column: 'rendered_description', from: 'description', as: 'description' }],
    onImport(folder, { note }) {
      const given = requireText(folder, 'name', LIMITS.max_channel_folder_name_length)
      const name = toPrintableName(given, LIMITS.max_channel_folder_name_length, '?')
      if (name !== given) note('folder names were changed: invalid')
      folder['name'] = name
      folder['name_key'] = caseKey(name)
      requireText(folder, 'description', LIMITS.max_channel_folder_description_length)
    },
  }),
]
