import type { StatementPart } from '../part.ts'

export const words: StatementPart = {
  name: 'words',
  given: [
    {
      name: 'known_words',
      type: 'tsvector',
      valueOf: ({ message }, { vocabulary }) => vocabulary?.vectorOf(message.content) ?? null,
    },
  ],
  computed: [
    'coalesce(known_words, message_words(content)) as search',
    'known_words is null and octet_length(content) = length(content) as has_new_words',
  ],
  results(rows, { vocabulary, inserts }) {
    for (const row of rows) {
      if (row.words !== null) vocabulary?.learn(inserts[row.n - 1]?.message.content ?? '', row.words)
    }
  },
}
