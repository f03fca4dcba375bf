import type { Administration } from '../../en/administration/index.ts'

export const habits: Administration['habits'] = {
  markRead: 'Nachrichten sind gelesen',
  readsFeeds: 'Auch wenn in Übersichten und Suchen gesehen',
  markReadSeen: 'in einer Unterhaltung gesehen',
  markReadNever: 'nur wenn ich es sage',
  previews: 'Unter Nachrichten zeigen, wohin Links führen',
  previewsMore: 'Dieser Server ruft die Seiten und Bilder ab, die andere verlinken. Dein Browser tut das nie.',
  enterSends: 'Enter sendet die Nachricht',
  enterSendsMore: (key) => `Sonst sendet ${key}.`,
}
