import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const recent: Strings['recent'] = {
  filters: 'Nur anzeigen',
  unread: 'Ungelesen',
  participated: 'Beteiligt',
  unresolved: 'Offen',
  followed: 'Gefolgt',
  empty: 'Keine Unterhaltungen',
  emptyMore: 'Tritt einem Kanal bei oder schreib jemandem.',
  emptyFiltered: 'Keine passenden Unterhaltungen',
  emptyFilteredMore: 'Entferne einen Filter, um mehr zu sehen.',
  participants: (number) => count(number, 'Person', 'Personen'),
  loading: 'Ältere Unterhaltungen werden geladen …',
  older: 'Ältere Unterhaltungen anzeigen',
}
