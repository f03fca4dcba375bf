import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const poll: Strings['poll'] = {
  label: (question) => `Umfrage: ${question}`,
  noQuestion: 'Umfrage',
  vote: (option, votes) => `${option}: ${count(votes, 'Stimme', 'Stimmen')}`,
  newOption: 'Neue Antwort',
  add: 'Hinzufügen',
}
