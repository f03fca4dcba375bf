import { searchLanguagesOf } from '../../../../organizations/queries/search-languages.ts'
import { insertWordsSql, rememberWords } from '../../terms.ts'
import type { MessageInsert } from '../outgoing.ts'
import type { StatementPart } from '../part.ts'

export function wordsOfInserts(inserts: readonly MessageInsert[]): string[] {
  return inserts.flatMap(({ indexed }) => indexed.words)
}

/** Adds new words to the organization's dictionary. Counts the new messages to wait for the organization's lock. */
export const wordsPart: StatementPart = {
  name: 'words',
  isNeeded: ({ newWords }) => newWords.length > 0,
  sql: () => `
word as (
  ${insertWordsSql({
    organization: '$organization',
    from: '(select count(*) from new_message) as begun cross join unnest($new_words::text[]) as given(word)',
    languages: '$languages::text',
  })})`,
  values: ({ organization, newWords }) => ({ new_words: newWords, languages: searchLanguagesOf(organization) }),
  results(_rows, { organization, newWords }) {
    rememberWords(organization, newWords)
  },
}
