import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const app: Strings['app'] = {
  name: 'Parley',
  loading: 'Wird geladen …',
  skipToMessages: 'Zum Inhalt springen',
  unreachable: 'Parley ist nicht erreichbar. Diese Seite verbindet sich automatisch neu.',
  failed: 'Das konnte nicht geladen werden.',
  failedOffline: 'Wird geladen, sobald du wieder online bist.',
  retry: 'Erneut versuchen',
  notFound: 'Seite nicht gefunden',
  notFoundMore: 'Vielleicht stimmt die Adresse nicht, oder dir fehlt der Zugriff.',
  close: 'Schließen',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  noConnection: 'Du bist offline. Du kannst weiterlesen; Nachrichten werden gesendet, sobald du wieder online bist.',
  held: 'Zu viele Anfragen aus deinem Netzwerk. Diese Seite versucht es gleich noch einmal.',
  heldHere: 'Zu viele Anfragen. Parley versucht es gleich noch einmal.',
  notKept: 'In diesem Browser konnte nichts gespeichert werden. Offline ist nichts verfügbar.',
  newBuild: 'Eine neue Version von Parley ist verfügbar',
  reload: 'Neu laden',
  refused: (reason: string) => `Live-Aktualisierung beendet: ${reason}`,
  more: 'Mehr',
  options: (number) => count(number, 'Vorschlag', 'Vorschläge'),
}
