import type { Strings } from '../en/index.ts'

export const settings: Strings['settings'] = {
  title: 'Einstellungen',
  sections: 'Teile der Einstellungen',
  allSections: 'Alle Einstellungen',
  atOnce: 'Was du wählst, gilt sofort, in jedem Browser, in dem du angemeldet bist.',
  saved: 'Gespeichert',
  waits: 'Wird gespeichert, sobald es eine Verbindung gibt',
  writing: 'Schreiben',
  notifications: 'Benachrichtigungen',
  notify: 'Direktnachrichten und Erwähnungen auf dem Schreibtisch zeigen',
  notifyRefused: 'Dieser Browser erlaubt hier keine Benachrichtigungen.',
  reading: 'Lesen',
  markRead: 'Nachrichten sind gelesen',
  markReadSeen: 'wenn ich sie in ihrer Unterhaltung gesehen habe',
  markReadNever: 'nur wenn ich es sage',
  enterSends: 'Enter sendet die Nachricht',
  enterSendsMore: 'Sonst sendet Strg+Enter.',
}
