import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, requireText, type ExportedTable } from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    alert_words: {
      organization_id: number
      user_id: number
      word_key: string
      word: string
      id: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-alert-words',
    sql: `
create table alert_words (
  organization_id bigint not null,
  user_id bigint not null,
  word_key text not null,
  word text not null,
  id bigint not null,
  primary key (organization_id, user_id, word_key),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

const MAX_WORD_LENGTH = 100

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('alert_words', {
    columns: ['user_id', 'word', 'id'],
    order: ['user_id', 'id'],
    derived: ['word_key'],
    belongsTo: 'user_id',
    exportedAs: { id: null },
    refers: { user_id: 'users' },
    onImport(record) {
      const word = requireText(record, 'word', MAX_WORD_LENGTH).normalize('NFC')
      record['word'] = word
      record['word_key'] = caseKey(word)
    },
  }),
]
