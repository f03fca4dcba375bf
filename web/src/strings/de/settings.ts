import type { Strings } from '../../kernel/strings.ts'

export const settings: Strings['settings'] = {
  title: 'Einstellungen',
  appearance: 'Aussehen',
  theme: 'Farben',
  system: 'Wie das System',
  light: 'Hell',
  dark: 'Dunkel',
  fontSize: 'Schriftgröße',
  language: 'Sprache',
  twentyFourHours: '24-Stunden-Uhr',
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
