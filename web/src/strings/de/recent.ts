import type { Strings } from '../en/index.ts'

export const recent: Strings['recent'] = {
  filters: 'Nur zeigen',
  unread: 'Ungelesen',
  participated: 'Von mir',
  unresolved: 'Offen',
  followed: 'Gefolgt',
  empty: 'Keine Unterhaltungen',
  older: 'Ältere zeigen',
}
