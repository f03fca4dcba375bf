import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const panel: Strings['panel'] = {
  label: 'Einzelheiten',
  people: 'Personen',
  findPerson: 'Person finden',
  toggle: 'Einzelheiten zeigen oder ausblenden',
  facts: 'Was geschehen ist',
  resolvedBy: (name) => (name === '' ? 'Als erledigt markiert' : `Als erledigt markiert von ${name}`),
  movedFrom: (topic, channel) => `Verschoben aus ${topic} in ${channel}`,
  participants: 'Wer dabei ist',
  nobody: 'Hier hat noch niemand geschrieben.',
  files: 'Dateien',
  noFiles: 'Keine Nachricht verweist auf eine Datei.',
  olderFiles: 'Ältere Dateien zeigen',
  number: (number) => number.toLocaleString('de'),
  atLeast: (number) => `mindestens ${number.toLocaleString('de')}`,
  peopleLeftOut: (number) => `Ohne ${count(number, 'Person, die', 'Personen, die')} du stummgeschaltet hast`,
  filesLeftOut: (number) => `Ohne ${count(number, 'Datei', 'Dateien')} von Personen, die du stummgeschaltet hast`,
  noDescription: 'Darüber steht nichts da.',
}
