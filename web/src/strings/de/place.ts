import type { Strings } from '../en/index.ts'
import { count, list } from './numbers.ts'

export const place: Strings['place'] = {
  topicOf: (topic, channel) => `${topic} in ${channel}`,
  noTopic: 'Allgemeines',
  directWith: (names) => list.format(names),
  notes: 'Notizen an dich',
  unknownChannel: 'Unbekannter Kanal',
  unknownUser: 'Unbekannte Person',
  searchFor: (query) => `Suche: ${query}`,
  resolved: 'Erledigt',
  subscribers: (number) => count(number, 'Person', 'Personen'),
  typing: (names) => `${list.format(names)} ${names.length === 1 ? 'schreibt' : 'schreiben'} …`,
  typingMany: 'Mehrere schreiben …',
}
