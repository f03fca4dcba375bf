import type { Strings } from '../en/index.ts'

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
  noDescription: 'Darüber steht nichts da.',
}
