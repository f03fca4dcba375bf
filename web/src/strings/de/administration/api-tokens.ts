import type { Administration } from '../../en/administration/index.ts'
import { count } from '../numbers.ts'

export const apiTokens: Administration['apiTokens'] = {
  title: 'API-Tokens',
  more: 'Ein Programm meldet sich mit einem Token statt mit deinem API-Schlüssel an. Es darf weniger als du, und du kannst es zurücknehmen.',
  make: 'Token anlegen',
  name: 'Name',
  nameHint: 'Zum Beispiel das Programm, das es verwendet.',
  may: 'Was es darf',
  reads: 'Lesen',
  writes: 'Lesen und schreiben',
  inChannels: (may, names) => `${may}: ${names}`,
  end: 'Gültig für',
  days: (days) => count(days, 'Tag', 'Tage'),
  ever: 'Bis es widerrufen wird',
  channels: 'Nur in diesen Kanälen',
  channelsMore:
    'Ohne Auswahl darf es überall, wo du darfst. Mit Auswahl sendet es nur dort und liest nur dort Nachrichten.',
  made: 'Token angelegt',
  keep: 'Kopiere das Token jetzt. Es wird nicht noch einmal gezeigt.',
  kept: 'Ich habe es aufbewahrt',
  neverUsed: 'Nie verwendet',
  until: (day) => `Endet: ${day}`,
  over: (day) => `Beendet: ${day}`,
  both: (one, other) => `${one}. ${other}`,
  revoke: 'Widerrufen',
  revokeOf: (name) => `${name} widerrufen`,
  revokeSure: (name) => `Programme können ${name} dann nicht mehr verwenden.`,
  revoked: 'Token widerrufen',
}
