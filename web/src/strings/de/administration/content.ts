import { count } from '../numbers.ts'
import type { Administration } from '../../en/administration/index.ts'

export const content: Administration['content'] = {
  retention: 'Aufbewahrung',
  retentionOf: 'Nachrichten werden aufbewahrt',
  retentionMore: 'Was älter ist, wird für immer gelöscht. Ein Kanal kann eine eigene Frist haben.',
  forEver: 'für immer',
  forDays: (days) => `${count(days, 'Tag', 'Tage')} lang`,
  retentionSure: (days) =>
    `Alle Nachrichten für immer löschen, die älter als ${count(days, 'Tag', 'Tage')} sind? Niemand kann sie zurückholen.`,
  retentionShorten: 'Ältere Nachrichten löschen',
  reports: 'Meldungen',
}
