import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const recent: Strings['recent'] = {
  filters: 'Nur zeigen',
  unread: 'Ungelesen',
  participated: 'Von mir',
  unresolved: 'Offen',
  followed: 'Gefolgt',
  empty: 'Keine Unterhaltungen',
  emptyMore: 'Tritt einem Kanal bei, oder schreib jemandem direkt.',
  emptyFiltered: 'Keine Unterhaltung ist all das',
  emptyFilteredMore: 'Weniger Filter zeigen mehr.',
  participants: (number) => count(number, 'Person', 'Personen'),
  loading: 'Ältere werden geladen …',
  older: 'Ältere zeigen',
}
