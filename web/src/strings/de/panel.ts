import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const panel: Strings['panel'] = {
  label: 'Details',
  people: 'Personen',
  findPerson: 'Person suchen',
  toggle: 'Details ein- oder ausblenden',
  facts: 'Verlauf',
  resolvedBy: (name) => (name === '' ? 'Als erledigt markiert' : `Als erledigt markiert von ${name}`),
  movedFrom: (topic, channel) => `Verschoben aus ${topic} in ${channel}`,
  participants: 'Beteiligte',
  nobody: 'Hier hat noch niemand geschrieben.',
  files: 'Dateien',
  noFiles: 'Noch keine Dateien',
  olderFiles: 'Ältere Dateien anzeigen',
  number: (number) => number.toLocaleString('de'),
  atLeast: (number) => `mindestens ${number.toLocaleString('de')}`,
  peopleLeftOut: (number) => `${count(number, 'stummgeschaltete Person', 'stummgeschaltete Personen')} ausgeblendet`,
  filesLeftOut: (number) => `${count(number, 'Datei', 'Dateien')} von stummgeschalteten Personen ausgeblendet`,
  noDescription: 'Keine Beschreibung',
}
