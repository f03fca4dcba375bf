import type { Administration } from '../../en/administration/index.ts'

export const statistics: Administration['statistics'] = {
  title: 'Statistik',
  all: 'Wie viel geschrieben wird',
  more: 'Nachrichten werden einige Minuten nach dem Senden gezählt. Tage sind die der Weltzeit. Von Direktnachrichten wird nur die Zahl gezählt.',
  span: 'Zeitraum',
  days: (days) => `Die letzten ${days} Tage`,
  summary: (inChannels, direct, people) =>
    `Nachrichten in Kanälen: ${inChannels}. Direktnachrichten: ${direct}. Personen, die geschrieben haben: ${people}.`,
  messages: 'Nachrichten',
  inChannels: 'In Kanälen',
  directly: 'Direkt',
  people: 'Personen, die geschrieben haben',
  day: 'Tag',
  channels: 'Kanäle mit den meisten Nachrichten',
  channel: 'Kanal',
  noChannels: 'In Kanälen wurde in dieser Zeit nichts geschrieben.',
  highest: (value, day) => `Am höchsten ist ${value}, am ${day}.`,
  empty: 'Es gibt nichts zu zeigen.',
  asTable: 'Als Tabelle',
}
