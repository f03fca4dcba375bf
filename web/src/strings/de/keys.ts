import type { Strings } from '../en/index.ts'

export const keys: Strings['keys'] = {
  title: 'Tastatur',
  palette: 'Überallhin gehen',
  search: 'Nachrichten durchsuchen',
  nextUnread: 'Nächste ungelesene Unterhaltung',
  inbox: 'Eingang öffnen',
  recent: 'Letzte Unterhaltungen öffnen',
  feed: 'Alle Nachrichten öffnen',
  writing: 'Entwürfe öffnen',
  reply: 'In dieser Unterhaltung schreiben',
  up: 'Nachricht darüber',
  down: 'Nachricht darunter',
  help: 'Tastatur zeigen',
  markAllRead: 'Alles als gelesen markieren',
}
