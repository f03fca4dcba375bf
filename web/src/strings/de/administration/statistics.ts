import type { Administration } from '../../en/administration/index.ts'

export const statistics: Administration['statistics'] = {
  title: 'Statistik',
  all: 'Nachrichtenaktivität',
  more: 'Aktualisierung innerhalb weniger Minuten. Tage in UTC. Von Direktnachrichten wird nur die Anzahl erfasst.',
  span: 'Zeitraum',
  days: (days) => `Letzte ${days} Tage`,
  summary: (inChannels, direct, people) =>
    `Nachrichten in Kanälen: ${inChannels}. Direktnachrichten: ${direct}. Aktive Personen: ${people}.`,
  messages: 'Nachrichten',
  inChannels: 'In Kanälen',
  directly: 'Direkt',
  people: 'Aktive Personen',
  day: 'Tag',
  channels: 'Aktivste Kanäle',
  channel: 'Kanal',
  noChannels: 'Keine Kanalnachrichten in diesem Zeitraum',
  highest: (value, day) => `Der Höchstwert ist ${value}, am ${day}.`,
  empty: 'Noch keine Daten',
  asTable: 'Als Tabelle anzeigen',
}
