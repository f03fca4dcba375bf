import type { Migration } from '../../kernel/tables.ts'

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
  // The words that users want to be alerted to when another user writes them.
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
