import type { Administration } from '../../en/administration/index.ts'

export const habits: Administration['habits'] = {
  markRead: 'Nachrichten sind gelesen',
  readsFeeds: 'Auch wenn in Übersichten und Suchen gesehen',
  markReadSeen: 'in einer Unterhaltung gesehen',
  markReadNever: 'nur wenn ich es sage',
  enterSends: 'Enter sendet die Nachricht',
  enterSendsMore: (key) => `Sonst sendet ${key}.`,
}
