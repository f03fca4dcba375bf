import type { Security } from '../en/security.ts'
import { count } from './numbers.ts'

export const security: Security = {
  security: 'Sicherheit',
  secondFactor: 'Zweiter Faktor',
  more: 'Eine App auf deinem Telefon zeigt Codes. Wer dein Passwort kennt, kann sich dann trotzdem nicht anmelden.',
  setUp: 'Zweiten Faktor einrichten',
  remove: 'Zweiten Faktor entfernen',
  removed: 'Zweiter Faktor entfernt',
  newCodes: 'Neue Wiederherstellungscodes',
  since: (day) => `Eingerichtet: ${day}`,
  codesLeft: (left) => `Du hast noch ${count(left, 'Wiederherstellungscode', 'Wiederherstellungscodes')}.`,
  required: 'Diese Organisation verlangt einen zweiten Faktor von dir.',
  passwordHint: 'Lass es leer, wenn du keines hast.',
  next: 'Weiter',
  scan: 'Scanne dieses Bild mit einer App für Codes.',
  qrCode: 'QR-Code für die App',
  type: 'Oder tippe dort diesen Schlüssel ein:',
  code: 'Code',
  codeHint: 'Die sechs Ziffern, die die App zeigt, oder ein Wiederherstellungscode.',
  firstCodeHint: 'Die sechs Ziffern, die die App zeigt.',
  confirm: 'Bestätigen',
  recoveryCodes: 'Wiederherstellungscodes',
  keepCodes:
    'Bewahre diese Codes an einem sicheren Ort auf. Jeder von ihnen meldet dich einmal an, wenn du die App nicht hast. Sie werden nicht noch einmal gezeigt.',
  copyCodes: 'Kopieren',
  kept: 'Ich habe sie aufbewahrt',
  enter: 'Noch ein Schritt',
  again: 'Noch einmal anmelden',
  setUpFirst: 'Diese Organisation verlangt einen zweiten Faktor von dir. Richte ihn ein, um dich anzumelden.',
}
