import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const poll: Strings['poll'] = {
  label: (question) => `Umfrage: ${question}`,
  noQuestion: 'Umfrage',
  vote: (option, votes) => `${option}: ${count(votes, 'Stimme', 'Stimmen')}`,
  newOption: 'Neue Antwort',
  add: 'Hinzufügen',
  create: 'Umfrage erstellen',
  question: 'Frage',
  option: (number) => `Antwort ${number}`,
  othersAdd: 'Alle können später Antworten hinzufügen.',
  send: 'Umfrage senden',
}
