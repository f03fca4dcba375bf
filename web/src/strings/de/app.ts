import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const app: Strings['app'] = {
  name: 'Parley',
  loading: 'Wird geladen …',
  skipToMessages: 'Zum Inhalt springen',
  unreachable: 'Parley ist nicht zu erreichen. Diese Seite macht von selbst weiter, sobald es eine Verbindung gibt.',
  failed: 'Das konnte nicht geladen werden.',
  failedOffline: 'Das wird geladen, sobald es eine Verbindung gibt.',
  retry: 'Noch einmal versuchen',
  notFound: 'Hier ist nichts',
  notFoundMore: 'Vielleicht stimmt die Adresse nicht, oder du darfst nicht sehen, was hier war.',
  close: 'Schließen',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  noConnection: 'Keine Verbindung. Lesen geht weiter; was du schreibst, wird gesendet, sobald es eine gibt.',
  held: 'Zu viele Anfragen von dieser Adresse. Diese Seite macht gleich von selbst weiter.',
  heldHere: 'Zu viele Anfragen. Parley macht gleich von selbst weiter.',
  notKept: 'Dieser Browser bewahrt hier nichts auf: Ohne Verbindung wird nichts zu lesen sein.',
  newBuild: 'Es gibt eine neuere Fassung von Parley.',
  reload: 'Neu laden',
  refused: (reason: string) => `Es kommt nichts Neues mehr an. Der Server sagt: ${reason}`,
  more: 'Mehr',
  options: (number) => count(number, 'Vorschlag', 'Vorschläge'),
}
