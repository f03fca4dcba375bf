import type { Migration } from '../../kernel/tables.ts'
import { ApiError } from '../../kernel/refusal.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { validPlayground } from './rules.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_playgrounds: {
      organization_id: number
      id: number
      name: string
      highlighter_language: string
      url_template: string
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-playgrounds',
    sql: `
create table realm_playgrounds (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  name text not null,
  highlighter_language text not null,
  url_template text not null,
  primary key (organization_id, id)
);
`,
  },
]

const MAX_TEXT_CHARACTERS = 10_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('realm_playgrounds', {
    columns: ['id', 'name', 'highlighter_language', 'url_template'],
    order: ['id'],
    onImport(playground) {
      const texts = {
        name: requireText(playground, 'name', MAX_TEXT_CHARACTERS),
        highlighter_language: requireText(playground, 'highlighter_language', MAX_TEXT_CHARACTERS),
        url_template: requireText(playground, 'url_template', MAX_TEXT_CHARACTERS),
      }
      try {
        Object.assign(playground, validPlayground(texts))
      } catch (error) {
        throw error instanceof ApiError ? new UnimportableRecordError(error.message) : error
      }
    },
  }),
]
